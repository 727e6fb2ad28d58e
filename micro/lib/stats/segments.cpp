#include "stats/segments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stats {
namespace {

// A level has to explain more than five standard deviations: over the splits of a curve of a
// hundred values, noise alone does that once in some ten thousand curves.
constexpr double kPriceOfLevel = 28;
// One value in a transition costs more than a level, so that two equal values are a level; further
// ones a little more than a value of noise costs its level, so that transitions take no more than
// they explain. Any transition costs less than the ladder of levels that would stand for it.
constexpr double kPriceOfTransition = 32;
constexpr double kPriceOfValueInTransition = 2;

// Values on each side that tell how noisy a place is.
constexpr std::size_t kNeighbours = 8;

// For a normal distribution, the mean square of the smallest three quarters of the deviations is
// this part of the variance.
constexpr double kTrimmedShare = 0.3684;

// Sums over prefixes, weighted by the inverse of the variance, so that a line is fitted to any
// segment in constant time.
class Prefixes {
 public:
  Prefixes(std::span<const double> values, std::span<const double> noise)
      : sums_(values.size() + 1) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double w = 1 / (noise[i] * noise[i]);
      const double x = static_cast<double>(i);
      const double y = values[i] - values[0];  // near 0: less is lost to cancellation
      const Sums& before = sums_[i];
      sums_[i + 1] = {before.w + w,          before.y + w * y, before.yy + w * y * y,
                      before.xy + w * x * y, before.x + w * x, before.xx + w * x * x};
    }
  }

  // Weighted squared residuals of values [first, end) around their mean.
  double around_mean(std::size_t first, std::size_t end) const {
    const Sums sums = between(first, end);
    return std::max(0.0, sums.yy - sums.y * sums.y / sums.w);
  }

  // The same around their best straight line.
  double around_line(std::size_t first, std::size_t end) const {
    if (end - first <= 2) return 0;
    const Sums sums = between(first, end);
    const double covariance = sums.xy - sums.x * sums.y / sums.w;
    const double variance = sums.xx - sums.x * sums.x / sums.w;
    return std::max(0.0, around_mean(first, end) - covariance * covariance / variance);
  }

 private:
  struct Sums {
    double w = 0, y = 0, yy = 0, xy = 0, x = 0, xx = 0;
  };
  Sums between(std::size_t first, std::size_t end) const {
    const Sums &a = sums_[first], &b = sums_[end];
    return {b.w - a.w, b.y - a.y, b.yy - a.yy, b.xy - a.xy, b.x - a.x, b.xx - a.xx};
  }
  std::vector<Sums> sums_;
};

// Half the squared difference of two neighbours estimates the variance of one.
double variance_of_small_differences(std::span<const double> values) {
  std::vector<double> squares;
  for (std::size_t i = 1; i < values.size(); ++i)
    squares.push_back((values[i] - values[i - 1]) * (values[i] - values[i - 1]) / 2);
  std::ranges::sort(squares);
  const std::size_t kept = std::max<std::size_t>(1, squares.size() * 3 / 4);
  double sum = 0;
  for (std::size_t i = 0; i < kept; ++i) sum += squares[i];
  return sum / static_cast<double>(kept) / kTrimmedShare;
}

// Noise goes up as often as down; steps go one way. So each difference the other way stands for two
// differences that are noise.
double variance_of_counter_differences(std::span<const double> values) {
  const double direction = values.back() >= values.front() ? 1 : -1;
  double sum = 0, count = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double along = (values[i] - values[i - 1]) * direction;
    if (along < 0) sum += along * along;
    count += along < 0 ? 2 : along == 0 ? 1 : 0;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

double noise_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  return std::sqrt(
      std::min(variance_of_small_differences(values), variance_of_counter_differences(values)));
}

std::vector<double> noise_along(std::span<const double> values) {
  const double whole = noise_of(values);
  std::vector<double> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = i < kNeighbours ? 0 : i - kNeighbours;
    const std::size_t end = std::min(i + kNeighbours + 1, values.size());
    all.push_back(std::max(whole, noise_of(values.subspan(first, end - first))));
  }
  return all;
}

std::vector<Segment> segment(std::span<const double> values, std::span<const double> noise,
                             std::size_t minimum_length) {
  struct Best {
    double cost = std::numeric_limits<double>::infinity();
    Segment last = {};
  };
  const Prefixes prefixes(values, noise);
  std::vector<Best> best(values.size() + 1);  // best[end]: of values [0, end)
  best[0].cost = 0;
  for (std::size_t end = 1; end <= values.size(); ++end) {
    for (std::size_t first = 0; first < end; ++first) {
      const auto offer = [&](double price, double squares, bool level) {
        const double cost = best[first].cost + price + squares;
        if (cost < best[end].cost) best[end] = {cost, {first, end - 1, level}};
      };
      if (end - first >= minimum_length)
        offer(kPriceOfLevel, prefixes.around_mean(first, end), true);
      offer(kPriceOfTransition + kPriceOfValueInTransition * static_cast<double>(end - first),
            prefixes.around_line(first, end), false);
    }
  }
  std::vector<Segment> segments;
  for (std::size_t end = values.size(); end > 0; end = segments.back().first)
    segments.push_back(best[end].last);
  std::ranges::reverse(segments);
  return segments;
}

}  // namespace stats
