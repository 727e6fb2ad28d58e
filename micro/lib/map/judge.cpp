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

// Timer edges give 100.1 % of a ceiling that is met (rule 25).
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

// The point's clock is the median of its repetitions, as its figure is: one repetition of five under another clock does not move
// either, and its value stands in the interval.
std::optional<Finding> clock_moved(const core::Measurement& measurement, double steady_hertz) {
  std::vector<double> clocks;
  for (const core::Repetition& repetition : measurement.repetitions)
    if (const double hertz = repetition.samples.clock.hertz(); hertz > 0) clocks.push_back(hertz);
  if (clocks.empty() || steady_hertz <= 0) return std::nullopt;
  const double hertz = stats::median(clocks);
  const double off = std::abs(hertz / steady_hertz - 1);
  if (off <= kClockTolerance) return std::nullopt;
  return Finding{core::Status::unstable,
                 fmt::format("the clock that ran was {}, {:.1f} % {} the run's steady {}",
                             core::format_value(hertz, core::unit::kHertz), 100 * off,
                             hertz < steady_hertz ? "below" : "above",
                             core::format_value(steady_hertz, core::unit::kHertz))};
}

// The device's own account of what held its clock down (rule 19): recorded, never discarded.
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
    for (const core::Repetition& repetition : measurement.repetitions)
      if (const double hertz = repetition.samples.clock.hertz(); hertz > 0) all.push_back(hertz);
  return all.empty() ? 0 : stats::median(all);
}

std::optional<Finding> look(const core::Measurement& measurement,
                            const core::Description& description, double steady_hertz) {
  if (auto finding = failed_check(measurement)) return finding;
  if (auto finding = no_number(measurement)) return finding;
  if (auto finding = impossible(measurement, description)) return finding;
  if (auto finding = throttled(measurement)) return finding;
  if (steady_hertz > 0) return clock_moved(measurement, steady_hertz);
  return scattered(measurement);
}

}  // namespace

std::vector<core::Measurement> judge(std::vector<core::Measurement> measurements,
                                     const core::Description& description) {
  // A CPU's core clock comes from a calibration beside the measurement and moves with every load: there the
  // spread alone tells. Where the clock is known spread is no fault but part of the interval: between two levels placement decides.
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
