#include "stats/modes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "stats/summary.hpp"

namespace stats {
namespace {

constexpr double kDeviationOfNormal = 1.4826;  // standard over median absolute deviation

// Sum of distances to the median of sorted values [first, last), from sums of the values before each.
class Distances {
 public:
  explicit Distances(const std::vector<double>& sorted) : sorted_(sorted), sums_{0} {
    for (const double value : sorted) sums_.push_back(sums_.back() + value);
  }
  double of(std::size_t first, std::size_t last) const {
    const std::size_t middle = first + (last - first) / 2;
    const double median = sorted_[middle];
    const double below = median * static_cast<double>(middle - first) - between(first, middle);
    const double above = between(middle, last) - median * static_cast<double>(last - middle);
    return below + above;
  }

 private:
  double between(std::size_t first, std::size_t last) const { return sums_[last] - sums_[first]; }

  const std::vector<double>& sorted_;
  std::vector<double> sums_;
};

// Where the upper part begins; equal values stay together. 0: nowhere.
std::size_t best_cut(const std::vector<double>& sorted, std::size_t least) {
  const Distances distances(sorted);
  std::size_t best = 0;
  double best_sum = 0;
  for (std::size_t cut = least; cut + least <= sorted.size(); ++cut) {
    if (sorted[cut - 1] == sorted[cut]) continue;
    const double sum = distances.of(0, cut) + distances.of(cut, sorted.size());
    if (best == 0 || sum < best_sum) {
      best = cut;
      best_sum = sum;
    }
  }
  return best;
}

Mode mode_of(std::span<const double> values) {
  return {.median = median(values),
          .spread = median_absolute_deviation(values),
          .count = values.size()};
}

// P(at most `seen` of `trials` fair coins show heads), by logarithms, because 2^-trials underflows.
double fair_tail(std::size_t seen, std::size_t trials) {
  const auto n = static_cast<double>(trials);
  double tail = 0;
  for (std::size_t k = 0; k <= seen; ++k) {
    const auto heads = static_cast<double>(k);
    tail += std::exp(std::lgamma(n + 1) - std::lgamma(heads + 1) - std::lgamma(n - heads + 1) -
                     n * std::log(2.0));
  }
  return std::min(1.0, tail);
}

// How surely the middle third between two medians is emptier than both its neighbours.
double valley_confidence(const std::vector<double>& sorted, double low, double high, double most) {
  const auto at = [&](double value) { return std::ranges::lower_bound(sorted, value); };
  const double third = (high - low) / 3;
  const auto first = at(low);
  const auto second = at(low + third);
  const auto from = at(high - third);
  const auto last = std::ranges::upper_bound(sorted, high);
  const auto middle = static_cast<std::size_t>(from - second);
  const auto neighbour = static_cast<std::size_t>(std::min(second - first, last - from));
  if (static_cast<double>(middle) >= most * static_cast<double>(neighbour)) return 0;
  return 1 - fair_tail(middle, middle + neighbour);
}

void add_share(Modes& modes, std::size_t all) {
  constexpr double z = 1.96;
  const auto n = static_cast<double>(all);
  const double share = static_cast<double>(modes.high.count) / n;
  const double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half =
      z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  modes.high_share = share;
  modes.share_from = middle - half;
  modes.share_to = middle + half;
}

}  // namespace

std::optional<Modes> two_modes(std::span<const double> values, const ModesOptions& options) {
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
    throw std::invalid_argument("two_modes: a value is no finite number");
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto least = std::max<std::size_t>(
      2, static_cast<std::size_t>(
             std::ceil(options.minimum_share * static_cast<double>(sorted.size()))));
  const std::size_t cut = best_cut(sorted, least);
  if (cut == 0) return std::nullopt;

  const std::span<const double> all(sorted);
  Modes modes{.low = mode_of(all.first(cut)),
              .high = mode_of(all.subspan(cut)),
              .threshold = (sorted[cut - 1] + sorted[cut]) / 2};
  const double distance = modes.high.median - modes.low.median;
  const auto deviation = [&](const Mode& mode) {
    return std::max(options.resolution, kDeviationOfNormal * mode.spread);
  };
  // Thirds narrower than two steps of the values hold whole steps or none, whatever the population.
  if (distance < 6 * options.resolution) return std::nullopt;
  if (distance < options.separation * (deviation(modes.low) + deviation(modes.high)) / 2)
    return std::nullopt;
  modes.confidence = valley_confidence(sorted, modes.low.median, modes.high.median, options.valley);
  if (modes.confidence < options.confidence) return std::nullopt;
  add_share(modes, sorted.size());
  return modes;
}

}  // namespace stats
