// Question: in what steps the global timer advances, the clock of fixed rate that every interval of
//           several SMs and every frequency is taken with.
// Method:   one thread reads the timer back to back for two milliseconds and keeps the smallest
//           difference between two different readings, and the first 512 such differences.
// Holds when a reading takes no longer than a step, so that some differences are of one step: then the
//           smallest divides the others (the facts give their common divisor).
// Flaws:    a step says how finely the timer can be read, not how evenly it runs.
//
// The loop reads the timer once a turn, and both halves of it at once.
// SASS-LABEL: Function : {{.*}}poll_timer
// SASS: [[LOOP:\.L_x_[0-9]+]]:
// SASS-NEXT: CS2R {{R[0-9]+}}, SR_GLOBALTIMERLO
// SASS-NOT: SR_GLOBALTIMERLO
// SASS: BRA {{.*}}([[LOOP]])

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/windows.cuh"

namespace {

constexpr std::uint32_t kKept = 512;
constexpr std::uint64_t kPollNs = 2'000'000;
// Ends the loop of a timer that stands still: a read takes several cycles.
constexpr std::uint64_t kMostReads = std::uint64_t{1} << 24;

struct PollRecord {
  cuda::ClockReading start;
  cuda::ClockReading stop;
  std::uint64_t reads;
  std::uint64_t steps;     // readings that differed from the one before
  std::uint64_t smallest;  // of their differences
  std::uint64_t advance;   // last reading less the first
  std::uint64_t sum;       // of the differences
};

__global__ void poll_timer(PollRecord* record, std::uint32_t* differences) {
  PollRecord seen{.smallest = ~std::uint64_t{0}};
  seen.start = cuda::read_clocks();
  const std::uint64_t first = cuda::ptx::globaltimer();
  std::uint64_t last = first;
#pragma unroll 1
  while (last - first < kPollNs && seen.reads < kMostReads) {
    const std::uint64_t now = cuda::ptx::globaltimer();
    ++seen.reads;
    const std::uint64_t difference = now - last;
    if (difference != 0) {
      if (seen.steps < kKept) differences[seen.steps] = static_cast<std::uint32_t>(difference);
      ++seen.steps;
      seen.sum += difference;
      if (difference < seen.smallest) seen.smallest = difference;
    }
    last = now;
  }
  seen.stop = cuda::read_clocks();
  seen.advance = last - first;
  *record = seen;
}

core::Samples measure(cuda::Context& context, const core::Point&, const core::Trial&) {
  auto record = cuda::poisoned<PollRecord>(1, context.stream);
  cuda::DeviceBuffer<std::uint32_t> differences(kKept);
  MICRO_CUDA_CHECK(
      cudaMemsetAsync(differences.data(), 0, differences.size_bytes(), context.stream));
  poll_timer<<<1, 1, 0, context.stream>>>(record.data(), differences.data());
  MICRO_CUDA_CHECK_LAUNCH("poll_timer");
  PollRecord seen;
  std::vector<std::uint32_t> kept(kKept);
  cuda::download<PollRecord>(record.data(), {&seen, 1}, context.stream);
  cuda::download<std::uint32_t>(differences.data(), kept, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  if (seen.steps == 0) throw core::MeasureError("the global timer stood still");

  kept.resize(std::min<std::uint64_t>(kKept, seen.steps));
  const std::uint32_t divisor = std::accumulate(kept.begin(), kept.end(), std::uint32_t{0},
                                                std::gcd<std::uint32_t, std::uint32_t>);
  const std::string ns(core::unit::kNanoseconds);
  const std::string count(core::unit::kCount);
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  const core::Clock clock = cuda::clock_between(seen.start, seen.stop);
  return {
      .metrics = {{"step", ns, number(seen.smallest)}},
      .columns = {{"difference", ns, std::vector<double>(kept.begin(), kept.end())}},
      .time_ns = number(seen.smallest),
      .clock = clock,
      .facts = {{"reads", count, number(seen.reads)},
                {"different_readings", count, number(seen.steps)},
                {"common_divisor_of_differences", ns, number(divisor)}},
      .checks = {core::check("differences add up", seen.sum == seen.advance,
                             std::to_string(seen.sum) + " ns, from the first to the last reading " +
                                 std::to_string(seen.advance) + " ns")}};
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
