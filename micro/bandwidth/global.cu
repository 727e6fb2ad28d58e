// Question: how many bytes per second all SMs together read, write, copy or combine (triad), by
//           working set: L1 (operator ca), L2, HBM.
// Method:   16-byte accesses, coalesced. Up to 2 x L2: resident blocks, one cooperative launch;
//           each walks its own chunk lap after lap, timed from the earliest start to the latest stop by the global timer. Above: one tile a block, one
//           launch a pass, timed by events behind a blocker (persistent kernels lose several per
//           cent there). Bytes declared: every byte read plus every byte written, once an access.
// Holds when a read's sum is the one that the pattern predicts, and every element written holds what
//           it should (the target was poisoned before).
// Flaws:    private chunks, no sharing between SMs; between 0.5 and 2 x L2 a mix of L2 and HBM; the
//           number of loads in flight is the best of a sweep on an H200, not of every device.
//
// 16-byte accesses through the operator asked for: E0..E3 read, write, copy, triad; the second E0 ca, E1 cg.
// A step of the ring (a whole one, and the rest of a lap) and a tile hold as many as the shape
// says; the ring between the barrier and clock read of its start and those of its end.
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE0{{.*}}OperatorE0
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-4: LDG.E.128.STRONG.SM
// SASS: BRA
// SASS-COUNT-4: LDG.E.128.STRONG.SM
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE0{{.*}}OperatorE1
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS: BRA
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE1{{.*}}OperatorE1
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-2: STG.E.128
// SASS: BRA
// SASS-COUNT-2: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE2{{.*}}OperatorE1
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-1: LDG.E.128.STRONG.GPU
// SASS-COUNT-1: STG.E.128
// SASS: BRA
// SASS-COUNT-1: LDG.E.128.STRONG.GPU
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE3{{.*}}OperatorE1
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS-COUNT-1: STG.E.128
// SASS: BRA
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE0
// SASS-COUNT-8: LDG.E.128.STRONG.GPU
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
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT

#include <algorithm>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/block_span.cuh"
#include "cuda/context.hpp"
#include "cuda/ptx/memory.cuh"
#include "cuda/stream_arrays.cuh"
#include "cuda/stream_run.hpp"

namespace {

using cuda::BlockSpan;
using cuda::Operation;
using cuda::RingKernel;
using cuda::StreamArrays;
using cuda::StreamShape;
using cuda::TileKernel;
using cuda::ptx::Operator;

// One access of operation `op` at element i: what is read comes back for the sum.
template <Operation op, Operator cache>
struct Access {
  uint4 a;
  uint4 b;

  __device__ __forceinline__ void load(const StreamArrays& arrays, std::uint64_t i) {
    if constexpr (op != Operation::write) a = cuda::ptx::load_vector<cache>(arrays.a + i);
    if constexpr (op == Operation::triad) b = cuda::ptx::load_vector<cache>(arrays.b + i);
  }
  __device__ __forceinline__ void store(const StreamArrays& arrays, std::uint64_t i) const {
    if constexpr (op == Operation::write) cuda::ptx::store_vector(arrays.a + i, cuda::pattern(i));
    if constexpr (op == Operation::copy) cuda::ptx::store_vector(arrays.b + i, a);
    if constexpr (op == Operation::triad) cuda::ptx::store_vector(arrays.c + i, cuda::triad(a, b));
  }
  __device__ __forceinline__ std::uint32_t sum() const {
    return op == Operation::read ? cuda::sum_of(a) : 0;
  }
};

// Resident blocks, each lap after lap over its own chunk of whole lines. `zero` is 0: an address that is the
// same in every lap could be loaded once for all. `sums`: one a block.
template <Operation op, Operator cache, int kThreads, int kBlocks, int kLoads>
__global__ void __launch_bounds__(kThreads, kBlocks* kThreads <= cuda::kThreadsPerSm ? kBlocks : 1)
    ring(StreamArrays arrays, std::uint32_t warm_laps, std::uint32_t laps, std::uint32_t zero,
         BlockSpan* spans, std::uint32_t* sums, std::uint32_t* arrived) {
  constexpr std::uint32_t kStep = kThreads * kLoads;
  const cuda::Chunk chunk = cuda::chunk_of(arrays.vectors, blockIdx.x, gridDim.x);
  std::uint64_t first = chunk.first + threadIdx.x;
  std::uint32_t sum = 0;
  cuda::ClockReading start{};
#pragma unroll 1
  for (std::uint32_t lap = 0; lap < warm_laps + laps; ++lap) {
    if (lap == warm_laps) {
      cuda::wait_for_grid(arrived);
      start = cuda::start_together();
    }
    std::uint32_t at = 0;
#pragma unroll 1
    for (; at + kStep <= chunk.vectors; at += kStep) {
      Access<op, cache> access[kLoads];
#pragma unroll
      for (int u = 0; u < kLoads; ++u) access[u].load(arrays, first + at + u * kThreads);
#pragma unroll
      for (int u = 0; u < kLoads; ++u) {
        access[u].store(arrays, first + at + u * kThreads);
        sum += access[u].sum();
      }
    }
    if (const std::uint32_t left = chunk.vectors - at; left > 0) {
      Access<op, cache> access[kLoads];
#pragma unroll
      for (int u = 0; u < kLoads; ++u)
        if (threadIdx.x + u * kThreads < left) access[u].load(arrays, first + at + u * kThreads);
#pragma unroll
      for (int u = 0; u < kLoads; ++u)
        if (threadIdx.x + u * kThreads < left) {
          access[u].store(arrays, first + at + u * kThreads);
          sum += access[u].sum();
        }
    }
    first += zero;
  }
  cuda::stop_together(start, spans);
  if constexpr (op == Operation::read) atomicAdd(sums + blockIdx.x, sum);
}

// One tile a block. With `checks` the sum over everything read goes to `sum`; the timed launches
// compute it as well, and only compare.
template <Operation op, Operator cache, int kThreads, int kLoads>
__global__ void __launch_bounds__(kThreads)
    tile(StreamArrays arrays, bool checks, std::uint32_t* sum, cuda::ClockWatch* watch) {
  const std::uint64_t first = blockIdx.x * std::uint64_t{kThreads * kLoads} + threadIdx.x;
  Access<op, cache> access[kLoads];
#pragma unroll
  for (int u = 0; u < kLoads; ++u)
    if (first + u * kThreads < arrays.vectors) access[u].load(arrays, first + u * kThreads);
  cuda::look_at_clock(watch);
  std::uint32_t read = 0;
#pragma unroll
  for (int u = 0; u < kLoads; ++u)
    if (first + u * kThreads < arrays.vectors) {
      access[u].store(arrays, first + u * kThreads);
      read += access[u].sum();
    }
  if (op == Operation::read && (checks || read == 0x5bd1e995U)) atomicAdd(sum, read);
}

template <Operation op, Operator cache, int kThreads, int kBlocks, int kLoads>
StreamShape<RingKernel> ring_shape(double about_bytes_per_cycle_per_sm) {
  return {ring<op, cache, kThreads, kBlocks, kLoads>, kThreads, kLoads, kBlocks,
          about_bytes_per_cycle_per_sm};
}
template <Operation op, int kThreads, int kLoads>
constexpr StreamShape<TileKernel> kTile{tile<op, Operator::cg, kThreads, kLoads>, kThreads, kLoads};

// Best of a sweep over 128 to 1024 threads and 1 to 16 loads on an H200. L1 wants few warps: 16 with four
// loads each reach 127 B/clk/SM, 32 with as many 120.
StreamShape<RingKernel> ring_for(Operation operation, bool through_l1) {
  switch (operation) {
    case Operation::read:
      return through_l1 ? ring_shape<Operation::read, Operator::ca, 512, 1, 4>(128)
                        : ring_shape<Operation::read, Operator::cg, 1024, 2, 2>(34);
    case Operation::write:
      return ring_shape<Operation::write, Operator::cg, 1024, 2, 2>(18);
    case Operation::copy:
      return ring_shape<Operation::copy, Operator::cg, 1024, 2, 1>(31);
    default:
      return ring_shape<Operation::triad, Operator::cg, 1024, 2, 1>(40);
  }
}

StreamShape<TileKernel> tile_for(Operation operation) {
  switch (operation) {
    case Operation::read:
      return kTile<Operation::read, 256, 8>;
    case Operation::write:
      return kTile<Operation::write, 1024, 1>;
    case Operation::copy:
      return kTile<Operation::copy, 256, 1>;
    default:
      return kTile<Operation::triad, 512, 1>;
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

  const double ns = core::median(timing.pass_ns);
  const double bytes_per_s = timing.pass_bytes / ns * 1e9;
  const std::string per_clock(core::unit::kBytesPerCyclePerSm);
  const std::string bytes(core::unit::kBytes);
  core::Samples samples{
      .metrics = {{"bandwidth", std::string(core::unit::kBytesPerSecond), bytes_per_s},
                  {"bandwidth", per_clock,
                   bytes_per_s / timing.clock.hertz() / context.device.sm_count}},
      .columns = {{"pass", std::string(core::unit::kNanoseconds), timing.pass_ns}},
      .time_ns = ns,
      .clock = timing.clock,
      .facts = timing.facts,
      .checks = timing.checks};
  if (operation != Operation::read)
    samples.checks.push_back(cuda::check_written(arrays, operation, context.stream));
  samples.facts.push_back(
      {"walked_footprint", bytes, static_cast<double>(arrays.bytes(operation))});
  samples.facts.push_back(
      {"arena_offset", bytes, static_cast<double>(context.arena.offset_of(place))});
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
