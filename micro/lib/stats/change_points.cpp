#include "stats/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/chain.hpp"
#include "stats/segments.hpp"
#include "stats/summary.hpp"

namespace stats {
namespace {

// Residuals of fewer values than this say too little of their own noise; those of the whole curve
// are drawn from then.
constexpr std::size_t kOwnResiduals = 8;

std::vector<double> logarithms(std::span<const double> values) {
  std::vector<double> logs;
  logs.reserve(values.size());
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value))
      throw std::invalid_argument("change points need positive numbers");
    logs.push_back(std::log(value));
  }
  return logs;
}

struct Plateau {
  std::size_t first = 0;
  std::size_t last = 0;
  double middle = 0;

  std::size_t length() const { return last - first + 1; }
};

class Staircase {
 public:
  Staircase(std::vector<double> logs, const ChangePointOptions& options)
      : logs_(std::move(logs)), options_(options) {
    // A tenth of the smallest step that counts is the finest grain worth explaining.
    const double grain = std::log1p(options.minimum_step) / 10;
    std::vector<double> noise = noise_along(logs_);
    for (double& one : noise) one = std::max(one, grain);
    in_level_.resize(logs_.size());
    for (const Segment& one : segment(logs_, noise, options.minimum_length)) {
      if (!one.level) continue;
      plateaus_.push_back(plateau(one.first, one.last));
      std::fill(in_level_.begin() + static_cast<std::ptrdiff_t>(one.first),
                in_level_.begin() + static_cast<std::ptrdiff_t>(one.last) + 1, true);
    }
  }

  std::vector<ChangePoint> change_points();

 private:
  Plateau plateau(std::size_t first, std::size_t last) const {
    const std::span<const double> all(logs_);
    return {first, last, median(all.subspan(first, last - first + 1))};
  }
  // Joins plateau i and its successor, with what lies between them.
  void join(std::size_t i) {
    plateaus_[i] = plateau(plateaus_[i].first, plateaus_[i + 1].last);
    plateaus_.erase(plateaus_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  double step(std::size_t i) const {
    return std::abs(plateaus_[i + 1].middle - plateaus_[i].middle);
  }
  bool join_smallest_step();
  bool join_excursion();
  std::vector<double> residuals(std::size_t i) const;
  double confidence(std::size_t i) const;
  std::size_t crossing(std::size_t i) const;

  std::vector<double> logs_;
  ChangePointOptions options_;
  std::vector<Plateau> plateaus_;
  std::vector<bool> in_level_;  // not an outlier and not in a transition
};

bool Staircase::join_smallest_step() {
  if (plateaus_.size() < 2) return false;
  std::size_t smallest = 0;
  for (std::size_t i = 1; i + 1 < plateaus_.size(); ++i)
    if (step(i) < step(smallest)) smallest = i;
  if (step(smallest) >= std::log1p(options_.minimum_step)) return false;
  join(smallest);
  return true;
}

// A few values aside, after which the curve is back where it was, are noise with two modes and no
// level: a hierarchy does not come back.
bool Staircase::join_excursion() {
  for (std::size_t i = 0; i + 2 < plateaus_.size(); ++i) {
    const Plateau &before = plateaus_[i], &aside = plateaus_[i + 1], &after = plateaus_[i + 2];
    if (std::abs(after.middle - before.middle) >= std::log1p(options_.minimum_step)) continue;
    if (aside.length() >= std::max(before.length(), after.length())) continue;
    join(i);
    join(i);
    return true;
  }
  return false;
}

std::vector<double> Staircase::residuals(std::size_t i) const {
  std::vector<double> pool;
  const auto add = [&](const Plateau& one) {
    // A median fitted to few values leaves residuals that are too small.
    const double n = static_cast<double>(one.length());
    const double widen = n > 1 ? std::sqrt(n / (n - 1)) : 1;
    for (std::size_t k = one.first; k <= one.last; ++k)
      if (in_level_[k]) pool.push_back((logs_[k] - one.middle) * widen);
  };
  if (plateaus_[i].length() + plateaus_[i + 1].length() >= kOwnResiduals) {
    add(plateaus_[i]);
    add(plateaus_[i + 1]);
  } else {
    for (const Plateau& one : plateaus_) add(one);
  }
  return pool;
}

// CUSUM statistic of a split after k of n values whose halves differ by `difference`.
double cusum(double difference, std::size_t k, std::size_t n) {
  const double before = static_cast<double>(k), after = static_cast<double>(n - k);
  return std::abs(difference) * std::sqrt(before * after / (before + after));
}

double largest_cusum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  double largest = 0, sum = 0;
  for (std::size_t k = 1; k < values.size(); ++k) {
    sum += values[k - 1];
    const double difference =
        sum / static_cast<double>(k) - (total - sum) / static_cast<double>(values.size() - k);
    largest = std::max(largest, cusum(difference, k, values.size()));
  }
  return largest;
}

double Staircase::confidence(std::size_t i) const {
  const std::size_t n = plateaus_[i].length() + plateaus_[i + 1].length();
  const double observed = cusum(step(i), plateaus_[i].length(), n);
  const std::vector<double> pool = residuals(i);
  core::Random random(core::mix_seed(options_.seed, plateaus_[i].last));
  std::vector<double> drawn(n);
  int as_large = 0;
  for (int trial = 0; trial < options_.permutations; ++trial) {
    for (double& value : drawn) value = pool[random.below(pool.size())];
    if (largest_cusum(drawn) >= observed) ++as_large;
  }
  return 1 - (as_large + 1.0) / (options_.permutations + 1.0);
}

// First value after plateau i that is nearer to its successor.
std::size_t Staircase::crossing(std::size_t i) const {
  const double half = (plateaus_[i].middle + plateaus_[i + 1].middle) / 2;
  const bool rising = plateaus_[i + 1].middle > plateaus_[i].middle;
  std::size_t at = plateaus_[i].last + 1;
  while (at < plateaus_[i + 1].first && (logs_[at] > half) != rising) ++at;
  return at;
}

std::vector<ChangePoint> Staircase::change_points() {
  while (true) {
    while (join_excursion() || join_smallest_step()) {
    }
    std::vector<ChangePoint> points;
    for (std::size_t i = 0; i + 1 < plateaus_.size(); ++i)
      points.push_back({.index = crossing(i),
                        .confidence = confidence(i),
                        .from = plateaus_[i].last,
                        .to = plateaus_[i + 1].first});
    const auto weakest = std::ranges::min_element(points, {}, &ChangePoint::confidence);
    if (weakest == points.end() || weakest->confidence >= options_.confidence) return points;
    join(static_cast<std::size_t>(weakest - points.begin()));
  }
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangePointOptions& options) {
  std::vector<double> logs = logarithms(values);
  if (values.size() < 2 * options.minimum_length) return {};
  return Staircase(std::move(logs), options).change_points();
}

}  // namespace stats
