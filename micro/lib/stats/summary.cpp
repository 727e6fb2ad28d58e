#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace stats {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kConfidence = 0.95;

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::ranges::sort(copy);
  return copy;
}

double median_of_sorted(const std::vector<double>& values) {
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Share of Binomial(n, 1/2) at each count. By ratios to the largest term, because 2^-n underflows.
std::vector<double> fair_binomial(std::size_t n) {
  std::vector<double> share(n + 1);
  const std::size_t middle = n / 2;
  share[middle] = 1;
  for (std::size_t k = middle; k < n; ++k)
    share[k + 1] = share[k] * static_cast<double>(n - k) / static_cast<double>(k + 1);
  for (std::size_t k = middle; k > 0; --k)
    share[k - 1] = share[k] * static_cast<double>(k) / static_cast<double>(n - k + 1);
  const double sum = std::accumulate(share.begin(), share.end(), 0.0);
  for (double& one : share) one /= sum;
  return share;
}

struct RankInterval {
  std::size_t rank = 0;  // from the lowest and from the highest value, from 0
  double confidence = 0;
};

// The narrowest pair of order statistics that covers the median with 0.95, or else the full range.
RankInterval rank_interval(std::size_t n) {
  const std::vector<double> share = fair_binomial(n);
  RankInterval best{.rank = 0, .confidence = std::max(0.0, 1 - 2 * share[0])};
  double outside = share[0];
  for (std::size_t rank = 1; rank < (n + 1) / 2; ++rank) {
    outside += share[rank];
    if (1 - 2 * outside < kConfidence) break;
    best = {.rank = rank, .confidence = 1 - 2 * outside};
  }
  return best;
}

}  // namespace

double median(std::span<const double> values) {
  return values.empty() ? kNone : median_of_sorted(sorted(values));
}

double quantile(std::span<const double> values, double q) {
  if (values.empty()) return kNone;
  const std::vector<double> order = sorted(values);
  const double at = std::clamp(q, 0.0, 1.0) * static_cast<double>(order.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, order.size() - 1);
  return order[below] + (at - static_cast<double>(below)) * (order[above] - order[below]);
}

double median_absolute_deviation(std::span<const double> values) {
  const double middle = median(values);
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (const double value : values) deviations.push_back(std::abs(value - middle));
  return median(deviations);
}

core::Estimate estimate(std::string name, std::string unit, std::span<const double> values) {
  core::Estimate estimate{.name = std::move(name),
                          .unit = std::move(unit),
                          .value = kNone,
                          .low = kNone,
                          .high = kNone,
                          .n = static_cast<int>(values.size()),
                          .spread = kNone};
  // One value that is no number spoils the whole: leaving it out would hide a broken repetition.
  const bool all_numbers = std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  if (values.empty() || !all_numbers) return estimate;
  const std::vector<double> order = sorted(values);
  const RankInterval interval = rank_interval(order.size());
  estimate.value = median_of_sorted(order);
  estimate.low = order[interval.rank];
  estimate.high = order[order.size() - 1 - interval.rank];
  estimate.confidence = interval.confidence;
  estimate.spread = median_absolute_deviation(order);
  return estimate;
}

std::vector<core::Estimate> summarize(std::span<const core::Repetition> repetitions) {
  std::vector<core::Quantity> kinds;  // name and unit of every metric, in order of appearance
  for (const core::Repetition& repetition : repetitions)
    for (const core::Quantity& metric : repetition.samples.metrics)
      if (core::find(kinds, metric.name, metric.unit) == nullptr) kinds.push_back(metric);

  std::vector<core::Estimate> all;
  for (const core::Quantity& kind : kinds) {
    std::vector<double> values;
    for (const core::Repetition& repetition : repetitions)
      if (const auto* metric = core::find(repetition.samples.metrics, kind.name, kind.unit))
        values.push_back(metric->value);
    all.push_back(estimate(kind.name, kind.unit, values));
  }
  return all;
}

}  // namespace stats
