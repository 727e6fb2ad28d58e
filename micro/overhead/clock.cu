// Question: how many cycles a read of the clock costs the reader: of clock64, the SM's own, and of
//           the global timer.
// Method:   one thread reads the clock 16 times and 48 times in a straight line, each line between
//           two reads of clock64; the difference, over 32. Every value is used, but only after the line's
//           end: an unused read is deleted, and a use in the line would be timed.
// Holds when the last value of the line is later than its first.
// Flaws:    the cost of back-to-back reads, which is what an interval pays; not the time until a
//           value can be used.
//
// 48 and 16 reads of 64 bits between the clock reads, each kept, and before the stop clock a test of the last.
// SASS-LABEL: Function : {{.*}}read_clock{{.*}}GlobalTimer
// SASS: SR_CLOCKLO
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-47: CS2R {{R[0-9]+}}, SR_GLOBALTIMERLO
// SASS: CS2R [[LAST:R[0-9]+]], SR_GLOBALTIMERLO
// SASS-NOT: {{LOP3|CS2R}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: CS2R {{R[0-9]+}}, SR_GLOBALTIMERLO
// SASS: CS2R [[LAST:R[0-9]+]], SR_GLOBALTIMERLO
// SASS-NOT: {{LOP3|CS2R}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}read_clock{{.*}}Clock64
// SASS: SR_CLOCKLO
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-47: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: CS2R [[LAST:R[0-9]+]], SR_CLOCKLO
// SASS-NOT: {{LOP3|CS2R}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: CS2R [[LAST:R[0-9]+]], SR_CLOCKLO
// SASS-NOT: {{LOP3|CS2R}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/windows.cuh"

namespace {

using cuda::WindowPlan;
using cuda::WindowRecord;

constexpr int kShort = 16;
constexpr int kLong = 48;

constexpr WindowPlan kPlan{.short_operations = kShort, .long_operations = kLong};

struct Clock64 {
  __device__ std::uint64_t operator()() const { return cuda::ptx::clock64(); }
};
struct GlobalTimer {
  __device__ std::uint64_t operator()() const { return cuda::ptx::globaltimer(); }
};

struct Readings {
  std::uint64_t last;
  std::uint64_t parity;  // of all values, so that none is unused
};

/// Cycles of kReads reads; `parity` takes them after the stop clock.
template <int kReads, typename Read>
__device__ __forceinline__ std::uint64_t time_reads(Readings& readings) {
  std::uint64_t values[kReads];
  const std::uint64_t cycles = cuda::time_window(readings.last, [&](std::uint64_t& last) {
#pragma unroll
    for (int i = 0; i < kReads; ++i) values[i] = Read{}();
    last = values[kReads - 1];
  });
#pragma unroll
  for (int i = 0; i < kReads; ++i) readings.parity ^= values[i];
  return cycles;
}

// `advance`: last reading less the first, which must be positive.
template <typename Read>
__global__ void read_clock(WindowPlan plan, WindowRecord* record, std::int64_t* advance,
                           std::uint64_t* parity) {
  const std::uint64_t first = Read{}();
  Readings readings{first, 0};
  cuda::time_windows(plan, record, [&](bool is_long) {
    return is_long ? time_reads<kLong, Read>(readings) : time_reads<kShort, Read>(readings);
  });
  *advance = static_cast<std::int64_t>(readings.last - first);
  *parity = readings.parity;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  auto record = cuda::poisoned<WindowRecord>(1, context.stream);
  auto advance = cuda::poisoned<std::int64_t>(1, context.stream);
  auto parity = cuda::poisoned<std::uint64_t>(1, context.stream);
  auto* kernel = point.word("method") == "clock64" ? read_clock<Clock64> : read_clock<GlobalTimer>;
  kernel<<<1, 1, 0, context.stream>>>(kPlan, record.data(), advance.data(), parity.data());
  MICRO_CUDA_CHECK_LAUNCH("clock reads");
  WindowRecord result;
  std::int64_t advanced = 0;
  cuda::download<WindowRecord>(record.data(), {&result, 1}, context.stream);
  cuda::download<std::int64_t>(advance.data(), {&advanced, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  core::Samples samples = cuda::latency_samples(kPlan, result);
  for (core::Quantity& metric : samples.metrics) metric.name = "cost";
  samples.checks.push_back(
      core::check("clock advanced", advanced > 0, "from the first to the last read"));
  return samples;
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kClockCost),
     .question = "how many cycles a read of the clock costs",
     .method = "back-to-back reads by one thread, difference of 48 and 16",
     .axes = {{.name = "method",
               .unit = "",
               .meaning = "which clock",
               .words = {"clock64", "globaltimer"},
               .automatic = {"clock64", "globaltimer"}}},
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 3e-3}; }},
    measure};

}  // namespace
