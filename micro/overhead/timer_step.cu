// Question: in what steps the global timer advances, the clock of fixed rate that every interval of
//           several SMs and every frequency is taken with.
// Method:   one thread reads the timer 64 times in a straight line, two cycles apart, and looks at the
//           differences of neighbours afterwards; line after line for two milliseconds. The smallest
//           difference of two different readings is the step.
// Holds when a read takes less than a step; then the timer advances by whole steps over any time.
// Flaws:    a step says how finely the timer can be read, not how evenly it runs.
//
// All reads of a line in a row, each of 64 bits.
// SASS-LABEL: Function : {{.*}}poll_timer
// SASS: [[LOOP:\.L_x_[0-9]+]]:
// SASS-NEXT: CS2R {{R[0-9]+}}, SR_GLOBALTIMERLO
// SASS-COUNT-63: {{^ *}}CS2R {{R[0-9]+}}, SR_GLOBALTIMERLO
// SASS-NOT: SR_GLOBALTIMERLO
// SASS: BRA {{.*}}([[LOOP]])

#include <algorithm>
#include <vector>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/windows.cuh"

namespace {

constexpr int kReads = 64;  // of a line
constexpr std::uint32_t kKept = 512;
constexpr std::uint64_t kPollNs = 2'000'000;
constexpr std::uint64_t kMostLines = std::uint64_t{1} << 17;  // ends with a timer that stands still

struct PollRecord {
  cuda::ClockReading start;
  cuda::ClockReading stop;
  std::uint64_t lines;
  std::uint64_t lines_with_steps;
  std::uint64_t steps;     // readings of a line that differed from the one before
  std::uint64_t smallest;  // of their differences
  std::uint64_t advance;   // last reading less the first
};

// `smallest_of`: of each of the first kKept lines in which the timer advanced.
__global__ void poll_timer(PollRecord* record, std::uint64_t* smallest_of) {
  PollRecord seen{.smallest = ~std::uint64_t{0}};
  seen.start = cuda::read_clocks();
  const std::uint64_t first = cuda::ptx::globaltimer();
  std::uint64_t last = first;
#pragma unroll 1
  while (last - first < kPollNs && seen.lines < kMostLines) {
    std::uint64_t readings[kReads];
#pragma unroll
    for (int i = 0; i < kReads; ++i) readings[i] = cuda::ptx::globaltimer();
    std::uint64_t smallest = ~std::uint64_t{0};
#pragma unroll
    for (int i = 1; i < kReads; ++i) {
      const std::uint64_t difference = readings[i] - readings[i - 1];
      if (difference == 0) continue;
      ++seen.steps;
      smallest = difference < smallest ? difference : smallest;
    }
    last = readings[kReads - 1];
    ++seen.lines;
    if (smallest == ~std::uint64_t{0}) continue;
    if (seen.lines_with_steps < kKept) smallest_of[seen.lines_with_steps] = smallest;
    ++seen.lines_with_steps;
    seen.smallest = smallest < seen.smallest ? smallest : seen.smallest;
  }
  seen.stop = cuda::read_clocks();
  seen.advance = last - first;
  *record = seen;
}

core::Check whole_steps(const PollRecord& seen) {
  core::Check check{
      .name = "whole steps",
      .detail = std::to_string(seen.advance) + " ns from the first to the last reading"};
  if (seen.smallest > seen.advance)
    check.verdict = core::Verdict::fail;  // the timer went back
  else if (seen.advance % seen.smallest == 0)
    check.verdict = core::Verdict::pass;
  else
    check.detail += " are no multiple of the smallest difference: the steps are not all alike";
  return check;
}

core::Samples measure(cuda::Context& context, const core::Point&, const core::Trial&) {
  auto record = cuda::poisoned<PollRecord>(1, context.stream);
  cuda::DeviceBuffer<std::uint64_t> smallest_of(kKept);
  MICRO_CUDA_CHECK(
      cudaMemsetAsync(smallest_of.data(), 0, smallest_of.size_bytes(), context.stream));
  poll_timer<<<1, 1, 0, context.stream>>>(record.data(), smallest_of.data());
  MICRO_CUDA_CHECK_LAUNCH("poll_timer");
  PollRecord seen;
  std::vector<std::uint64_t> kept(kKept);
  cuda::download<PollRecord>(record.data(), {&seen, 1}, context.stream);
  cuda::download<std::uint64_t>(smallest_of.data(), kept, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  if (seen.steps == 0) throw core::MeasureError("the global timer stood still");

  kept.resize(std::min<std::uint64_t>(kKept, seen.lines_with_steps));
  const std::string ns(core::unit::kNanoseconds);
  const std::string count(core::unit::kCount);
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  return {.metrics = {{"step", ns, number(seen.smallest)}},
          .columns = {{"smallest_difference", ns, std::vector<double>(kept.begin(), kept.end())}},
          .time_ns = number(seen.smallest),
          .clock = cuda::clock_between(seen.start, seen.stop),
          .facts = {{"reads", count, number(seen.lines * kReads)},
                    {"different_readings", count, number(seen.steps)},
                    {"advance", ns, number(seen.advance)}},
          .checks = {whole_steps(seen)}};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kTimerStep),
     .question = "in what steps the global timer advances",
     .method = "back-to-back reads by one thread, the smallest difference of two different ones",
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 5e-3}; }},
    measure};

}  // namespace
