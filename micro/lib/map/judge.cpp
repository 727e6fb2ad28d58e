// The status of every measurement, from its own samples and what is physically possible.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/units.hpp"
#include "map/ceilings.hpp"
#include "map/memory_map.hpp"
#include "stats/summary.hpp"

namespace map {
namespace {

// Timer edges give up to 100.1 % of a ceiling that is met: the interval is read at its two ends.
constexpr double kAboveCeiling = 1.005;
// A clock read over a millisecond in steps of 32 ns is good to 0.01 %: half a per cent is a change.
constexpr double kClockTolerance = 0.005;
// The search for levels holds its promises up to 5 % noise (one standard deviation); beyond that
// neither the median of a few repetitions nor a boundary near it can be relied on.
constexpr double kSpreadLimit = 0.05;
constexpr double kDeviationsToSigma = 1.4826;  // of a normal distribution
constexpr int kRepetitionsForSpread = 3;

struct Finding {
  core::Status status;
  std::string reason;
};

std::optional<Finding> failed_check(const core::Measurement& measurement) {
  for (const core::Repetition& repetition : measurement.repetitions)
    for (const core::Check& check : repetition.samples.checks)
      if (check.verdict == core::Verdict::fail)
        return Finding{
            core::Status::failed,
            fmt::format("check '{}' failed in repetition {}{}{}", check.name, repetition.number,
                        check.detail.empty() ? "" : ": ", check.detail)};
  return std::nullopt;
}

std::optional<Finding> no_number(const core::Measurement& measurement) {
  if (measurement.summary.empty()) return Finding{core::Status::failed, "nothing was measured"};
  for (const core::Estimate& estimate : measurement.summary)
    if (!std::isfinite(estimate.value) || !(estimate.value > 0))
      return Finding{core::Status::failed,
                     fmt::format("{} in {} is no positive number", estimate.name, estimate.unit)};
  return std::nullopt;
}

std::optional<Finding> impossible(const core::Measurement& measurement,
                                  const core::Description& description) {
  const core::Level* level = bounding_level(measurement, description);
  if (level == nullptr) return std::nullopt;
  for (const core::Estimate& estimate : measurement.summary) {
    const auto ceiling = ceiling_of(*level, estimate.unit);
    if (!ceiling || estimate.low <= ceiling->value * kAboveCeiling) continue;
    return Finding{core::Status::invalid,
                   fmt::format("at least {} exceeds what {} can give, {} ({})",
                               core::format_value(estimate.low, estimate.unit), level->name,
                               core::format_value(ceiling->value, ceiling->unit), ceiling->source)};
  }
  return std::nullopt;
}

std::vector<double> clocks_hertz(const core::Measurement& measurement) {
  std::vector<double> clocks;
  for (const core::Repetition& repetition : measurement.repetitions)
    if (const double hertz = repetition.samples.clock.hertz(); hertz > 0) clocks.push_back(hertz);
  return clocks;
}

// The point's clock is the median of its repetitions, as its figure is: one repetition of five
// under another clock does not move either, and its value stands in the interval.
std::optional<Finding> clock_moved(const std::vector<double>& clocks, double steady_hertz) {
  const double hertz = stats::median(clocks);
  const double off = std::abs(hertz / steady_hertz - 1);
  if (off <= kClockTolerance) return std::nullopt;
  return Finding{core::Status::unstable,
                 fmt::format("the clock that ran was {}, {:.1f} % {} the run's steady {}",
                             core::format_value(hertz, core::unit::kHertz), 100 * off,
                             hertz < steady_hertz ? "below" : "above",
                             core::format_value(steady_hertz, core::unit::kHertz))};
}

// The device's own account of what held its clock down. The point stays, with its reason: a device
// that is always held back would have no map otherwise.
std::optional<Finding> throttled(const core::Measurement& measurement) {
  for (const core::Repetition& repetition : measurement.repetitions)
    for (const core::Quantity& health : repetition.samples.health)
      if (health.name.ends_with("_event_time") && health.value > 0)
        return Finding{
            core::Status::unstable,
            fmt::format("the device reports {} of {} in repetition {}",
                        core::format_seconds(health.value * 1e-9), health.name, repetition.number)};
  return std::nullopt;
}

// Memory that lost data during a repetition, or swapped a row for a spare: what was timed then is
// not the memory of the other repetitions.
std::optional<Finding> memory_faulted(const core::Measurement& measurement) {
  for (const core::Repetition& repetition : measurement.repetitions)
    for (const core::Quantity& health : repetition.samples.health)
      if ((health.name.starts_with("ecc_uncorrected") || health.name.starts_with("row_remaps")) &&
          health.value > 0)
        return Finding{core::Status::unstable,
                       fmt::format("the device reports {:.0f} {} in repetition {}", health.value,
                                   health.name, repetition.number)};
  return std::nullopt;
}

std::optional<Finding> cut_short(const core::Description& description) {
  const core::Fact* fact = core::find(description.explanations, "kernels_cut_short");
  const bool* is_cut = fact == nullptr ? nullptr : std::get_if<bool>(&fact->value);
  if (is_cut == nullptr || !*is_cut) return std::nullopt;
  return Finding{core::Status::unstable,
                 "kernels were cut short (MICRO_BRIEF): figures mean nothing"};
}

std::optional<Finding> scattered(const core::Measurement& measurement) {
  const core::Estimate& headline = measurement.summary.front();
  if (headline.n < kRepetitionsForSpread) return std::nullopt;
  const double sigma = headline.spread * kDeviationsToSigma / headline.value;
  if (sigma <= kSpreadLimit) return std::nullopt;
  return Finding{core::Status::unstable,
                 fmt::format("repetitions scatter by {:.0f} % (limit {:.0f} %)", 100 * sigma,
                             100 * kSpreadLimit)};
}

double steady_clock_hertz(const std::vector<core::Measurement>& measurements) {
  std::vector<double> all;
  for (const core::Measurement& measurement : measurements)
    for (const double hertz : clocks_hertz(measurement)) all.push_back(hertz);
  return all.empty() ? 0 : stats::median(all);
}

std::optional<Finding> look(const core::Measurement& measurement,
                            const core::Description& description, double steady_hertz) {
  if (auto finding = failed_check(measurement)) return finding;
  if (auto finding = no_number(measurement)) return finding;
  // Before the ceilings: a figure of cut kernels says nothing about them either.
  if (auto finding = cut_short(description)) return finding;
  if (auto finding = impossible(measurement, description)) return finding;
  if (auto finding = memory_faulted(measurement)) return finding;
  if (auto finding = throttled(measurement)) return finding;
  // What the host times (a launch) has no clock of its own even where the device has one.
  const std::vector<double> clocks = clocks_hertz(measurement);
  if (steady_hertz > 0 && !clocks.empty()) return clock_moved(clocks, steady_hertz);
  return scattered(measurement);
}

}  // namespace

std::vector<core::Measurement> judge(std::vector<core::Measurement> measurements,
                                     const core::Description& description) {
  // A CPU's core clock comes from a calibration beside the measurement and moves with every load:
  // there the spread alone tells. Where the clock is known spread is no fault but part of the
  // interval: between two levels placement decides.
  const double steady_hertz = description.backend == "host" ? 0 : steady_clock_hertz(measurements);
  for (core::Measurement& measurement : measurements) {
    if (measurement.status == core::Status::skipped || measurement.status == core::Status::failed)
      continue;
    const auto finding = look(measurement, description, steady_hertz);
    measurement.status = finding ? finding->status : core::Status::ok;
    measurement.reason = finding ? finding->reason : "";
  }
  return measurements;
}

}  // namespace map
