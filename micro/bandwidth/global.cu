// Question: how many bytes per second all SMs together read, write, copy or combine (triad), by
//           working set: L1 (operator ca), L2, HBM.
// Method:   16-byte accesses, coalesced. Up to 2 x L2: resident blocks, one cooperative launch;
//           each walks its own chunk lap after lap, timed from the earliest start to the latest stop by the global timer. Above: one tile a block,
//           timed by events behind a blocker (persistent kernels lose several per cent there: see bandwidth/memory_shape). A launch starts
//           and ends with a device that is partly idle, about 4 us: 8 % of a pass over 4 x L2. Hence as many passes in a launch as
//           two milliseconds hold. Bytes declared: every byte read plus every byte written, once an access.
// Holds when a read's sum is the one that the pattern predicts, and every element written holds what
//           it should (the target was poisoned before).
// Flaws:    private chunks, no sharing between SMs; between 0.5 and 2 x L2 a mix of L2 and HBM; the
//           number of loads in flight is the best of a sweep on an H200, not of every device.
//
// 16-byte accesses through the operator asked for: E0..E3 read, write, copy, triad; the hint E1 ca, E2 cg.
// A step of the ring (a whole one, and the rest of a lap) and a tile hold as many as the shape
// says; the ring between the clock read after the blocks have met and the one after the last warp.
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE0{{.*}}HintE1
// SASS: BAR.SYNC
// SASS: LDG.E.STRONG.SYS
// SASS-COUNT-2: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-4: LDG.E.128.STRONG.SM
// SASS: BRA
// SASS-COUNT-4: LDG.E.128.STRONG.SM
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE0{{.*}}HintE2
// SASS: BAR.SYNC
// SASS: LDG.E.STRONG.SYS
// SASS-COUNT-2: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS: BRA
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE1{{.*}}HintE2
// SASS: BAR.SYNC
// SASS: LDG.E.STRONG.SYS
// SASS-COUNT-2: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-2: STG.E.128
// SASS: BRA
// SASS-COUNT-2: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE2{{.*}}HintE2
// SASS: BAR.SYNC
// SASS: LDG.E.STRONG.SYS
// SASS-COUNT-2: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-1: LDG.E.128.STRONG.GPU
// SASS-COUNT-1: STG.E.128
// SASS: BRA
// SASS-COUNT-1: LDG.E.128.STRONG.GPU
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE3{{.*}}HintE2
// SASS: BAR.SYNC
// SASS: LDG.E.STRONG.SYS
// SASS-COUNT-2: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS-COUNT-4: FFMA
// SASS-COUNT-1: STG.E.128
// SASS: BRA
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS-COUNT-4: FFMA
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE0
// SASS-COUNT-4: LDG.E.128.STRONG.GPU
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE1
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE2
// SASS-COUNT-1: LDG.E.128.STRONG.GPU
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE3
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS-COUNT-4: FFMA
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT

#include <algorithm>

#include "core/answers.hpp"
#include "core/units.hpp"
#include "cuda/context.hpp"
#include "cuda/stream_access.cuh"
#include "cuda/stream_run.hpp"

namespace {

using cuda::BlockSpan;
using cuda::Hint;
using cuda::Operation;
using cuda::RingKernel;
using cuda::StreamArrays;
using cuda::StreamShape;
using cuda::TileKernel;

// Resident blocks, each lap after lap over its own chunk of whole lines.
template <Operation op, Hint hint, int kThreads, int kBlocks, int kLoads>
__global__ void __launch_bounds__(kThreads, kBlocks* kThreads <= cuda::kThreadsPerSm ? kBlocks : 1)
    ring(StreamArrays arrays, std::uint32_t warm_laps, std::uint32_t laps, std::uint32_t zero,
         BlockSpan* spans, std::uint32_t* sums, std::uint32_t* arrived) {
  cuda::run_laps<cuda::Access<op, hint>, kLoads>(
      arrays, cuda::chunk_of(arrays.vectors, blockIdx.x, gridDim.x), kThreads, warm_laps, laps,
      zero, spans, sums, arrived);
}

// One tile a block.
template <Operation op, Hint hint, int kThreads, int kLoads>
__global__ void __launch_bounds__(kThreads)
    tile(StreamArrays arrays, bool checks, std::uint32_t* sum, cuda::ClockWatch* watch) {
  cuda::run_tile<cuda::Access<op, hint>, kLoads>(arrays, kThreads, checks, sum, watch);
}

template <Operation op, Hint hint, int kThreads, int kBlocks, int kLoads>
StreamShape<RingKernel> ring_shape(double about_bytes_per_cycle_per_sm) {
  return {ring<op, hint, kThreads, kBlocks, kLoads>, kThreads, kLoads, kBlocks,
          about_bytes_per_cycle_per_sm};
}
template <Operation op, int kThreads, int kLoads>
constexpr StreamShape<TileKernel> kTile{tile<op, Hint::cg, kThreads, kLoads>, kThreads, kLoads};

// Best of a sweep over 128 to 1024 threads and 1 to 16 loads on an H200. L1 wants few warps: 16 with four
// loads each reach 127 B/clk/SM, 32 with as many 120.
StreamShape<RingKernel> ring_for(Operation operation, bool through_l1) {
  switch (operation) {
    case Operation::read:
      return through_l1 ? ring_shape<Operation::read, Hint::ca, 512, 1, 4>(128)
                        : ring_shape<Operation::read, Hint::cg, 1024, 2, 2>(34);
    case Operation::write:
      return ring_shape<Operation::write, Hint::cg, 1024, 2, 2>(18);
    case Operation::copy:
      return ring_shape<Operation::copy, Hint::cg, 1024, 2, 1>(31);
    default:
      return ring_shape<Operation::triad, Hint::cg, 1024, 2, 1>(40);
  }
}

StreamShape<TileKernel> tile_for(Operation operation) {
  switch (operation) {
    case Operation::read:
      return kTile<Operation::read, 256, 4>;
    case Operation::write:
      return kTile<Operation::write, 256, 1>;
    case Operation::copy:
      return kTile<Operation::copy, 128, 1>;
    default:
      return kTile<Operation::triad, 1024, 1>;
  }
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const Operation operation = cuda::operation_from(point.word("operation"));
  const bool through_l1 = point.word("operator") == "ca";
  const auto footprint = static_cast<std::size_t>(point.number("footprint"));
  std::byte* place = context.arena.place(footprint, 2 << 20, trial);
  const StreamArrays arrays = cuda::lay_arrays(place, footprint, operation);
  cuda::fill(arrays, operation, context.stream);
  const bool resident = through_l1 || footprint <= 2 * context.device.l2_bytes;
  const cuda::StreamTiming timing =
      resident ? cuda::run_ring(context, arrays, operation, ring_for(operation, through_l1))
               : cuda::run_tiles(context, arrays, operation, tile_for(operation));

  core::Samples samples =
      cuda::stream_samples(context, timing, place, static_cast<double>(arrays.bytes(operation)));
  const std::string per_clock(core::unit::kBytesPerCyclePerSm);
  samples.metrics.push_back(
      {"bandwidth", per_clock,
       timing.bytes_per_s() / timing.clock.hertz() / context.device.sm_count});
  if (operation != Operation::read)
    samples.checks.push_back(cuda::check_written(arrays, operation, context.stream));
  if (resident) samples.columns.push_back({"sm_bandwidth", per_clock, timing.sm_bytes_per_cycle});
  return samples;
}

core::Cost cost(const core::Point& point, const core::Capacities&) {
  const auto footprint = static_cast<double>(point.number("footprint"));
  const double moved = std::max(8 * footprint, 12e9);
  return {.memory_bytes = point.number("footprint"),
          .moved_bytes = moved,
          .seconds = 8e-3 + moved / 4e12};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kLevelBandwidth),
     .question =
         "how many bytes per second all SMs together read, write, copy or combine, by working set",
     .method = "16-byte coalesced accesses, private chunks; every byte read and every byte written "
               "counts once",
     .axes = {{.name = "operation",
               .unit = "",
               .meaning = "read a; write a; copy b = a; triad c = a + 3 b",
               .words = {"read", "write", "copy", "triad"},
               .automatic = {"read", "write", "copy", "triad"}},
              {.name = "operator",
               .unit = "",
               .meaning =
                   "cache operator of the loads: ca caches in L1 and L2 (read only), cg in L2 only",
               .words = {"ca", "cg"},
               .automatic = {"cg"}},
              {.name = "footprint",
               .unit = "bytes",
               .meaning = "all arrays together, over all SMs, in private chunks",
               .min = 1 << 20,
               .max = std::int64_t{512} << 30,
               .multiple_of = 128,
               .automatic = {"0.4 x l2", "4GiB"}}},
     .refuse =
         [](const core::Point& point) {
           const bool honoured =
               point.word("operator") == "cg" || point.word("operation") == "read";
           return std::string(honoured ? ""
                                       : "operator ca goes with operation read only: stores do not "
                                         "allocate in L1; write operator: cg");
         },
     .cost = cost},
    measure};

}  // namespace
