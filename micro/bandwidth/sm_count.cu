// Question: how many bytes per second one SM alone reads from the L2 and from memory, and how that grows
//           with the number of SMs until the L2 or the memory is full.
// Method:   one block of 1024 threads an SM, 16-byte loads cached in L2 only (cg), as many in flight a thread as `loads` says; as many
//           blocks as SMs are asked for, placed by the hardware. Each walks its own chunk lap after lap, from the earliest start to the latest
//           stop by the global timer. level l2: 0.4 x L2 together; hbm: 4 x L2. Every byte counts once.
// Holds when every block's sum is the one that the pattern predicts and no two blocks ran on one SM.
// Flaws:    two loads in flight a thread are the best of one, two and four on an H200, one SM and all alike: four give a quarter
//           less of the L2. Which SMs run is the hardware's choice (the column smid says which): it spreads blocks over the
//           GPCs first. Resident blocks reach a few per cent less of the memory than bandwidth/global's tiles.
//
// A step of the ring and the rest of a lap hold as many loads as asked for, between the clock reads.
// SASS-LABEL: Function : {{.*}}ring{{.*}}ILi1E
// SASS: BAR.SYNC
// SASS: LDG.E.STRONG.SYS
// SASS-COUNT-2: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-1: LDG.E.128.STRONG.GPU
// SASS: BRA
// SASS-COUNT-1: LDG.E.128.STRONG.GPU
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ring{{.*}}ILi2E
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
// SASS-LABEL: Function : {{.*}}ring{{.*}}ILi4E
// SASS: BAR.SYNC
// SASS: LDG.E.STRONG.SYS
// SASS-COUNT-2: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-4: LDG.E.128.STRONG.GPU
// SASS: BRA
// SASS-COUNT-4: LDG.E.128.STRONG.GPU
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <algorithm>
#include <string>

#include "core/units.hpp"
#include "cuda/context.hpp"
#include "cuda/stream_access.cuh"
#include "cuda/stream_run.hpp"

namespace {

using cuda::BlockSpan;
using cuda::Operation;
using cuda::StreamArrays;

constexpr int kThreads = 1024;
constexpr double kBytesPerCyclePerSm = 40;  // about; for how long it runs, nothing else

template <int kLoads>
__global__ void __launch_bounds__(kThreads)
    ring(StreamArrays arrays, std::uint32_t warm_laps, std::uint32_t laps, std::uint32_t zero,
         BlockSpan* spans, std::uint32_t* sums, std::uint32_t* arrived) {
  cuda::run_laps<cuda::Access<Operation::read, cuda::Hint::cg>, kLoads>(
      arrays, cuda::chunk_of(arrays.vectors, blockIdx.x, gridDim.x), kThreads, warm_laps, laps,
      zero, spans, sums, arrived);
}

cuda::RingKernel* ring_for(unsigned loads) {
  return loads == 1 ? ring<1> : loads == 2 ? ring<2> : ring<4>;
}

std::int64_t footprint_bytes(const core::Point& point, std::int64_t l2_bytes) {
  constexpr std::int64_t kMiB = std::int64_t{1} << 20;  // whole, also where an L2 is not
  const std::int64_t bytes = point.word("level") == "l2" ? l2_bytes * 2 / 5 : l2_bytes * 4;
  return std::max(bytes / kMiB, std::int64_t{1}) * kMiB;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const auto sms = static_cast<unsigned>(point.number("sms"));
  const auto loads = static_cast<unsigned>(point.number("loads"));
  const auto footprint = static_cast<std::size_t>(
      footprint_bytes(point, static_cast<std::int64_t>(context.device.l2_bytes)));
  std::byte* place = context.arena.place(footprint, 2 << 20, trial);
  const StreamArrays arrays = cuda::lay_arrays(place, footprint, Operation::read);
  cuda::fill(arrays, Operation::read, context.stream);
  const cuda::StreamTiming timing =
      cuda::run_ring(context, arrays, Operation::read,
                     {ring_for(loads), kThreads, loads, 1, kBytesPerCyclePerSm}, {.blocks = sms});
  core::Samples samples = cuda::stream_samples(context, timing, place,
                                               static_cast<double>(arrays.bytes(Operation::read)));
  const std::string per_clock(core::unit::kBytesPerCyclePerSm);
  samples.metrics.push_back(
      {"bandwidth", per_clock, timing.bytes_per_s() / timing.clock.hertz() / sms});
  samples.columns.push_back({"sm_bandwidth", per_clock, timing.sm_bytes_per_cycle});
  samples.columns.push_back({"smid", std::string(core::unit::kCount), timing.sm_ids});
  samples.checks.push_back(
      core::check("one block an SM", timing.sm_ids.size() == sms,
                  "the blocks ran on " + std::to_string(timing.sm_ids.size()) + " SMs"));
  return samples;
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const std::int64_t footprint = footprint_bytes(point, capacities.get("l2"));
  const auto sms = static_cast<double>(point.number("sms"));
  const double moved = std::max(4.0 * static_cast<double>(footprint), sms * 4e8);
  return {.memory_bytes = footprint,
          .moved_bytes = moved,
          .seconds = 2e-3 + moved / std::min(4e12, sms * 6e10)};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = "bandwidth_by_sms",
     .question = "how many bytes per second one SM alone reads from L2 and memory, and how many "
                 "more SMs read together",
     .method = "one block of 1024 threads an SM, 16-byte coalesced loads (cg), private chunks; "
               "bytes a clock are of the SMs that ran",
     .axes = {{.name = "level",
               .unit = "",
               .meaning = "what is read: l2 (0.4 x l2 together) or hbm (4 x l2)",
               .words = {"l2", "hbm"},
               .automatic = {"l2", "hbm"}},
              {.name = "sms",
               .unit = "count",
               .meaning = "SMs that run a block",
               .min = 1,
               .max = 1024,
               .automatic = {"1", "2", "4", "8", "16", "32", "1 x sm_count"}},
              {.name = "loads",
               .unit = "count",
               .meaning = "16-byte loads in flight a thread",
               .allowed = {1, 2, 4},
               .automatic = {"2"}}},
     .skip = [](const core::Point& point, const core::Capacities& capacities) -> std::string {
       const std::int64_t sms = capacities.get("sm_count");
       if (point.number("sms") <= sms) return {};
       return "this device has " + std::to_string(sms) + " SMs";
     },
     .cost = cost},
    measure};

}  // namespace
