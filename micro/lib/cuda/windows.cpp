#include "cuda/windows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/median.hpp"
#include "core/units.hpp"

namespace cuda {
namespace {

/// Of the median, from the median absolute deviation, as if the windows were normal.
double standard_error(const std::vector<double>& windows) {
  const double middle = core::median(windows);
  std::vector<double> deviations;
  for (const double window : windows) deviations.push_back(std::abs(window - middle));
  return 1.2533 * 1.4826 * core::median(deviations) /
         std::sqrt(static_cast<double>(windows.size()));
}

/// What a window takes beside its operations is two clock reads and a test. Less than nothing means that the stop clock did not wait for
/// the last result of the short windows: then they lack an operation. Of an operation that takes no longer than that overhead, or than
/// the noise, the lack cannot be seen.
core::Check stop_clock_waits(double cycles, double overhead, double noise) {
  constexpr double kUsualOverhead = 64;
  core::Check check{.name = std::string(kStopClockWaits),
                    .verdict = core::Verdict::pass,
                    .detail = "short and long windows agree on what a window costs"};
  if (overhead < -std::max(0.5 * cycles, 4 * noise)) {
    check.verdict = core::Verdict::fail;
    check.detail = "a short window took less time than its operations";
  } else if (cycles < kUsualOverhead || 4 * noise > 0.5 * cycles) {
    check.verdict = core::Verdict::not_available;
    check.detail =
        "an operation takes no longer than what a window costs beside it; the machine code tells";
  }
  return check;
}

}  // namespace

std::uint64_t operations_done(const WindowPlan& plan, const WindowRecord& record) {
  return plan.warm_operations + plan.pairs * (plan.short_operations + plan.long_operations) +
         record.extra_windows * plan.short_operations;
}

core::Clock clock_between(const ClockReading& start, const ClockReading& stop) {
  if (stop.ns <= start.ns || stop.cycles <= start.cycles)
    throw core::MeasureError("the SM clock or the global timer stood still during the kernel");
  return {.cycles = static_cast<double>(stop.cycles - start.cycles),
          .ns = static_cast<double>(stop.ns - start.ns),
          .method = "clock64 over globaltimer"};
}

core::Samples latency_samples(const WindowPlan& plan, const WindowRecord& record) {
  const std::vector<double> shorts(record.short_cycles, record.short_cycles + plan.pairs);
  const std::vector<double> longs(record.long_cycles, record.long_cycles + plan.pairs);
  const double between = static_cast<double>(plan.long_operations - plan.short_operations);
  std::vector<double> latencies(plan.pairs);
  for (std::size_t i = 0; i < latencies.size(); ++i)
    latencies[i] = (longs[i] - shorts[i]) / between;
  const double cycles = core::median(latencies);
  // A window is a difference of two clocks; where one was not read it is about as large as the clock.
  const auto unread = [](double window) { return window > 1e15; };
  if (std::ranges::any_of(shorts, unread) || std::ranges::any_of(longs, unread))
    throw core::MeasureError("a clock was not read");
  if (!(cycles > 0))
    throw core::MeasureError("the long windows took no longer than the short ones");

  const double overhead =
      core::median(shorts) - cycles * static_cast<double>(plan.short_operations);
  const core::Check waits =
      stop_clock_waits(cycles, overhead, standard_error(shorts) + standard_error(longs));

  const core::Clock clock = clock_between(record.start, record.stop);
  const double ns = cycles / clock.hertz() * 1e9;
  const double timed = static_cast<double>(plan.pairs) *
                       static_cast<double>(plan.short_operations + plan.long_operations);
  const double uncorrected = (std::accumulate(shorts.begin(), shorts.end(), 0.0) +
                              std::accumulate(longs.begin(), longs.end(), 0.0)) /
                             timed;
  const std::string cycles_unit(core::unit::kCycles);
  const std::string count_unit(core::unit::kCount);
  return {
      .metrics = {{"latency", cycles_unit, cycles},
                  {"latency", std::string(core::unit::kNanoseconds), ns}},
      .columns = {{"short_window", cycles_unit, shorts}, {"long_window", cycles_unit, longs}},
      .time_ns = ns,
      .clock = clock,
      .facts = {{"short_window_operations", count_unit, static_cast<double>(plan.short_operations)},
                {"long_window_operations", count_unit, static_cast<double>(plan.long_operations)},
                {"warm_operations", count_unit, static_cast<double>(plan.warm_operations)},
                {"uncorrected_latency", cycles_unit, uncorrected},
                {"window_overhead", cycles_unit, overhead},
                {"smid", count_unit, static_cast<double>(record.smid)}},
      .checks = {waits}};
}

}  // namespace cuda
