// Question: how many bytes an SM reads from its L1 a clock, by width of the access and by working set.
// Method:   operator ca, one block of 32 warps an SM, coalesced; each SM a private chunk of whole lines of the footprint. A warp
//           asks for 4 KiB at once (32, 16 or 8 loads a lane) and then for the next 4 KiB that no other warp took, past the
//           ends of laps as anywhere else. Bytes over the cycles from before the first load to after the last, the median over the
//           SMs; per second from the earliest start to the latest stop by the global timer. Every byte counts once an access.
// Holds when every block's sum over all laps is the one that the pattern predicts.
// Flaws:    footprints that the L1s hold with room to spare, for of others the warps would find what the one before them
//           brought; where the L1 ends is for bandwidth/global with operator ca, whose blocks walk a lap in steps of 32 KiB and leave most
//           warps idle at its end (91 to 96 % of what is found here). Below 32 steps an SM (128 KiB) some warps ask for the same
//           lines at the same time, which costs up to 6 %. Reads only: stores go through to the L2.
//
// As many loads of the full width as make 4 KiB a warp in a whole step, all before the first sum, and as many in the last one of a
// lap, in one loop between the clock reads; none merged: their addresses follow from the step's number.
// SASS-LABEL: Function : {{.*}}walkILi1E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-NOT: LDG
// SASS-COUNT-32: {{^}} LDG.E.STRONG.SM
// SASS-NOT: LDG
// SASS: BRA
// SASS-COUNT-32: @!P{{[0-9]}} LDG.E.STRONG.SM
// SASS-NOT: LDG
// SASS-COUNT-16: IADD3
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}walkILi2E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-NOT: LDG
// SASS-COUNT-16: {{^}} LDG.E.64.STRONG.SM
// SASS-NOT: LDG
// SASS: BRA
// SASS-COUNT-16: @!P{{[0-9]}} LDG.E.64.STRONG.SM
// SASS-NOT: LDG
// SASS-COUNT-16: IADD3
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}walkILi4E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-NOT: LDG
// SASS-COUNT-8: {{^}} LDG.E.128.STRONG.SM
// SASS-NOT: LDG
// SASS: BRA
// SASS-COUNT-8: @!P{{[0-9]}} LDG.E.128.STRONG.SM
// SASS-NOT: LDG
// SASS-COUNT-16: IADD3
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}

#include <algorithm>
#include <string>

#include "core/answers.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/block_span.cuh"
#include "cuda/context.hpp"
#include "cuda/sm_streams.cuh"
#include "cuda/stream_arrays.cuh"
#include "cuda/stream_run.hpp"

namespace {

using cuda::BlockSpan;
using cuda::Operation;
using cuda::StreamArrays;

constexpr std::uint32_t kWarps = 32;
constexpr double kBytesPerCyclePerSm = 128;  // for how long it runs, nothing else

template <int kWords>
__global__ void __launch_bounds__(32 * kWarps)
    walk(StreamArrays arrays, std::uint32_t warm_laps, std::uint32_t laps, std::uint32_t,
         BlockSpan* spans, std::uint32_t* sums, std::uint32_t* arrived) {
  const cuda::Chunk chunk = cuda::chunk_of(arrays.vectors, blockIdx.x, gridDim.x);
  std::uint32_t sum = 0;
  cuda::ClockReading start{};
  // To warm, once more because the wait for the others empties an L1, and timed: the same code.
#pragma unroll 1
  for (int phase = 0; phase < 3; ++phase) {
    if (phase == 1) cuda::wait_for_grid(arrived);
    start = cuda::start_together();
    __syncthreads();  // no warp begins before the clock is read
    sum += cuda::read_l1<kWords, kWarps>(reinterpret_cast<const std::byte*>(arrays.a + chunk.first),
                                         chunk.vectors * sizeof(uint4),
                                         phase == 0   ? warm_laps - 1
                                         : phase == 1 ? 1
                                                      : laps);
  }
  cuda::stop_together(start, spans);
  atomicAdd(sums + blockIdx.x, sum);
}

cuda::StreamShape<cuda::RingKernel> shape_for(std::int64_t width) {
  const auto bytes = static_cast<unsigned>(width);
  return {.kernel = width == 4   ? walk<1>
                    : width == 8 ? walk<2>
                                 : walk<4>,
          .threads = 32 * kWarps,
          .loads = cuda::kStepBytes / (32 * bytes),
          .blocks_per_sm = 1,
          .about_bytes_per_cycle_per_sm = kBytesPerCyclePerSm,
          .width_bytes = bytes};
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const auto footprint = static_cast<std::size_t>(point.number("footprint"));
  std::byte* place = context.arena.place(footprint, 2 << 20, trial);
  const StreamArrays arrays = cuda::lay_arrays(place, footprint, Operation::read);
  cuda::fill(arrays, Operation::read, context.stream);
  const cuda::StreamTiming timing =
      cuda::run_ring(context, arrays, Operation::read, shape_for(point.number("width")));
  core::Samples samples = cuda::stream_samples(context, timing, place,
                                               static_cast<double>(arrays.bytes(Operation::read)));
  const std::string per_clock(core::unit::kBytesPerCyclePerSm);
  samples.metrics.push_back({"bandwidth", per_clock, core::median(timing.sm_bytes_per_cycle)});
  samples.columns.push_back({"sm_bandwidth", per_clock, timing.sm_bytes_per_cycle});
  return samples;
}

core::Cost cost(const core::Point& point, const core::Capacities&) {
  const auto footprint = static_cast<double>(point.number("footprint"));
  const double moved = std::max(4 * footprint, 120e9);
  return {.memory_bytes = point.number("footprint"), .moved_bytes = moved, .seconds = 7e-3};
}

// Three quarters: above, what else an L1 holds begins to matter.
std::string skip(const core::Point& point, const core::Capacities& capacities) {
  const std::int64_t held = capacities.get("l1_total");
  if (held == 0) return "the size of this device's L1 is not known";
  if (4 * point.number("footprint") <= 3 * held) return {};
  return core::format_bytes(point.number("footprint")) + " are more than three quarters of the " +
         core::format_bytes(held) + " that all L1s hold together";
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kLevelBandwidth),
     .question = "how many bytes an SM reads from its L1 a clock, by width and by working set",
     .method = "32 warps an SM, 4 KiB of coalesced loads (ca) in flight each, private chunks, no "
               "lap ends; median over SMs",
     .axes = {{.name = "operation",
               .unit = "",
               .meaning = "stores go through the L1 to the L2",
               .words = {"read"},
               .automatic = {"read"}},
              {.name = "operator",
               .unit = "",
               .meaning = "cache operator of the loads: ca caches in L1 and L2",
               .words = {"ca"},
               .automatic = {"ca"}},
              {.name = "width",
               .unit = "bytes",
               .meaning = "bytes a lane asks for at once",
               .allowed = {4, 8, 16},
               .automatic = {"4B", "8B", "16B"}},
              {.name = "footprint",
               .unit = "bytes",
               .meaning = "over all SMs together, in private chunks of whole lines",
               .min = 1 << 20,
               .max = std::int64_t{1} << 30,
               .multiple_of = 128,
               .automatic = {"0.5 x l1_total"}}},
     .skip = skip,
     .cost = cost},
    measure};

}  // namespace
