// Question: how many bytes per second all SMs read through the L2 when each reads lines of its own, and when
//           all read the same.
// Method:   one block of 1024 threads an SM, two 16-byte loads in flight each, cached in L2 only (cg). sharing private: each block
//           walks its own chunk of the footprint; all: every block walks the whole footprint, all in step from its start. From the
//           earliest start to the latest stop by the global timer. Every byte counts once for each block that reads it. One
//           block an SM, because two that ask for one line at once share its way into the SM as well.
// Holds when every block's sum is the one that the pattern predicts.
// Flaws:    requests of several SMs for one line at about the same time are merged before they reach an L2 slice (counters on an
//           H200: the slices saw half of the sectors that the SMs got; all of them where private): what `all` gives
//           is bandwidth of the way from there to the SMs, and no L2 bandwidth. How much is merged depends on how well the
//           SMs stay in step, which nothing enforces. All-shared lines are held in both halves of an L2 that has two, so that
//           they end to fit at a smaller footprint.
//
// A step of the ring and the rest of a lap hold two loads each, between the clock reads; Lb0 private, Lb1 all.
// SASS-LABEL: Function : {{.*}}ring{{.*}}ILb0E
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
// SASS-LABEL: Function : {{.*}}ring{{.*}}ILb1E
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

#include "core/units.hpp"
#include "cuda/context.hpp"
#include "cuda/stream_access.cuh"
#include "cuda/stream_run.hpp"

namespace {

using cuda::BlockSpan;
using cuda::Operation;
using cuda::StreamArrays;

constexpr int kThreads = 1024;
constexpr int kLoads = 2;
// About; for how long it runs, nothing else.
constexpr double kPrivateBytesPerCyclePerSm = 34;
constexpr double kSharedBytesPerCyclePerSm = 64;

template <bool kWholeEach>
__global__ void __launch_bounds__(kThreads)
    ring(StreamArrays arrays, std::uint32_t warm_laps, std::uint32_t laps, std::uint32_t zero,
         BlockSpan* spans, std::uint32_t* sums, std::uint32_t* arrived) {
  const cuda::Chunk chunk = kWholeEach ? cuda::chunk_of(arrays.vectors, 0, 1)
                                       : cuda::chunk_of(arrays.vectors, blockIdx.x, gridDim.x);
  cuda::run_laps<cuda::Access<Operation::read, cuda::Hint::cg>, kLoads>(
      arrays, chunk, kThreads, warm_laps, laps, zero, spans, sums, arrived);
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const bool whole_each = point.word("sharing") == "all";
  const auto footprint = static_cast<std::size_t>(point.number("footprint"));
  std::byte* place = context.arena.place(footprint, 2 << 20, trial);
  const StreamArrays arrays = cuda::lay_arrays(place, footprint, Operation::read);
  cuda::fill(arrays, Operation::read, context.stream);
  const cuda::StreamTiming timing =
      cuda::run_ring(context, arrays, Operation::read,
                     {whole_each ? ring<true> : ring<false>, kThreads, kLoads, 1,
                      whole_each ? kSharedBytesPerCyclePerSm : kPrivateBytesPerCyclePerSm},
                     {.whole_each = whole_each});
  core::Samples samples = cuda::stream_samples(context, timing, place,
                                               static_cast<double>(arrays.bytes(Operation::read)));
  const std::string per_clock(core::unit::kBytesPerCyclePerSm);
  samples.metrics.push_back(
      {"bandwidth", per_clock,
       timing.bytes_per_s() / timing.clock.hertz() / context.device.sm_count});
  samples.columns.push_back({"sm_bandwidth", per_clock, timing.sm_bytes_per_cycle});
  return samples;
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const auto footprint = static_cast<double>(point.number("footprint"));
  const auto blocks = static_cast<double>(capacities.get("sm_count"));
  const double moved = 4 * footprint * (point.word("sharing") == "all" ? blocks : 1) + 36e9;
  return {.memory_bytes = point.number("footprint"),
          .moved_bytes = moved,
          .seconds = 2e-3 + moved / 8e12};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = "l2_sharing",
     .question = "how many bytes per second all SMs read through the L2, lines of their own or the "
                 "same",
     .method = "16-byte coalesced loads (cg), lap after lap; every byte counts once for each block "
               "that reads it",
     .axes = {{.name = "level",
               .unit = "",
               .meaning = "what serves the reads",
               .words = {"l2"},
               .automatic = {"l2"}},
              {.name = "sharing",
               .unit = "",
               .meaning = "private: each block walks a chunk of its own; all: each walks all of it "
                          "(equal requests are merged before the L2: no L2 bandwidth)",
               .words = {"private", "all"},
               .automatic = {"private", "all"}},
              {.name = "footprint",
               .unit = "bytes",
               .meaning = "all lines together",
               .min = 1 << 20,
               .max = std::int64_t{1} << 32,
               .multiple_of = 128,
               .automatic = {"0.1 x l2", "0.25 x l2", "0.4 x l2"}}},
     .cost = cost},
    measure};

}  // namespace
