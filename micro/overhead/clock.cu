// Question: how many cycles a read of the clock costs: of clock64, the SM's own, and of the global
//           timer.
// Method:   one thread reads the clock 16 times and 48 times in a straight line, each line between
//           two reads of clock64; the difference, over 32. Every value is used, but only after the line's
//           end: an unused read is deleted, and a use in the line would be timed.
// Holds when the last value of the line is later than its first.
// Flaws:    the cost of back-to-back reads, which is what an interval pays; not the time until a
//           value can be used.
//
// 16 and 48 reads of 64 bits between the clock reads, each kept, and before the stop clock a test of the last.
// SASS-LABEL: Function : {{.*}}read_clock64
// SASS: ISETP.NE.U32
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: CS2R [[LAST:R[0-9]+]], SR_CLOCKLO
// SASS-NOT: {{LOP3|CS2R}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-47: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: CS2R [[LAST:R[0-9]+]], SR_CLOCKLO
// SASS-NOT: {{LOP3|CS2R}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}read_globaltimer
// SASS: ISETP.NE.U32
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: CS2R {{R[0-9]+}}, SR_GLOBALTIMERLO
// SASS: CS2R [[LAST:R[0-9]+]], SR_GLOBALTIMERLO
// SASS-NOT: {{LOP3|CS2R}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-47: CS2R {{R[0-9]+}}, SR_GLOBALTIMERLO
// SASS: CS2R [[LAST:R[0-9]+]], SR_GLOBALTIMERLO
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

// `advance`: last reading less the first, which must be positive. `parity` only keeps every read alive.
template <typename Read>
__device__ __forceinline__ void read_lines(const WindowPlan& plan, WindowRecord* record,
                                           std::int64_t* advance, std::uint64_t* parity,
                                           Read&& read) {
  std::uint64_t values[kLong] = {};
  std::uint64_t used = 0;
  const std::uint64_t first = read();
  std::uint64_t last = first;
  cuda::time_windows(
      plan, record,
      [&] {
#pragma unroll
        for (int i = 0; i < kShort; ++i) values[i] = read();
        last = values[kShort - 1];
      },
      [&] {
#pragma unroll
        for (int i = 0; i < kLong; ++i) values[i] = read();
        last = values[kLong - 1];
      },
      [&] { return last; },
      [&] {
#pragma unroll
        for (int i = 0; i < kLong; ++i) used ^= values[i];
      });
  *advance = static_cast<std::int64_t>(last - first);
  *parity = used;
}

__global__ void read_clock64(WindowPlan plan, WindowRecord* record, std::int64_t* advance,
                             std::uint64_t* parity) {
  read_lines(plan, record, advance, parity, [] { return cuda::ptx::clock64(); });
}

__global__ void read_globaltimer(WindowPlan plan, WindowRecord* record, std::int64_t* advance,
                                 std::uint64_t* parity) {
  read_lines(plan, record, advance, parity, [] { return cuda::ptx::globaltimer(); });
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  cuda::DeviceBuffer<WindowRecord> record(1);
  cuda::DeviceBuffer<std::int64_t> advance(1);
  cuda::DeviceBuffer<std::uint64_t> parity(1);
  auto* kernel = point.word("method") == "clock64" ? read_clock64 : read_globaltimer;
  kernel<<<1, 1, 0, context.stream>>>(kPlan, record.data(), advance.data(), parity.data());
  MICRO_CUDA_CHECK_LAUNCH("clock reads");
  WindowRecord result;
  std::int64_t advanced = 0;
  cuda::download<WindowRecord>(record.data(), {&result, 1}, context.stream);
  cuda::download<std::int64_t>(advance.data(), {&advanced, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  if (advanced <= 0) throw core::MeasureError("the clock did not advance");

  core::Samples samples = cuda::latency_samples(kPlan, result);
  for (core::Quantity& metric : samples.metrics) metric.name = "cost";
  samples.checks.push_back(
      {"clock advanced", core::Verdict::pass, "from the first to the last read"});
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
