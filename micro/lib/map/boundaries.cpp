#include "map/boundaries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/change_points.hpp"
#include "stats/summary.hpp"

namespace map {
namespace {

constexpr double kFarthestOctaves = 2;
// More than any number of matches can cost: leaving a boundary over is the last resort.
constexpr double kPriceOfLeftOver = 100;
constexpr double kPriceOfUnstated = 1;

double price(std::int64_t capacity_bytes, const Boundary& boundary) {
  if (capacity_bytes <= 0) return kPriceOfUnstated;
  const double octaves = std::abs(
      std::log2(static_cast<double>(boundary.found_bytes) / static_cast<double>(capacity_bytes)));
  return octaves <= kFarthestOctaves ? octaves : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<Boundary> boundaries(const Curve& curve, std::string_view name, std::string_view unit) {
  std::vector<double> values;
  std::vector<std::int64_t> footprints;
  for (const core::Measurement* point : curve.points) {
    const core::Estimate* estimate = usable(*point) ? point->estimate(name, unit) : nullptr;
    if (estimate == nullptr || !(estimate->value > 0)) continue;
    values.push_back(estimate->value);
    footprints.push_back(footprint_bytes(*point));
  }
  const auto found = stats::change_points(values);
  std::vector<Boundary> all;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const stats::ChangePoint& point = found[i];
    const std::size_t first = i == 0 ? 0 : found[i - 1].to;
    const std::size_t last = i + 1 < found.size() ? found[i + 1].from : values.size() - 1;
    const std::span<const double> span(values);
    all.push_back({.found_bytes = footprints[point.index - 1],
                   .low_bytes = footprints[point.from],
                   .high_bytes = footprints[point.to],
                   .widest_low_bytes = footprints[point.from == 0 ? 0 : point.from - 1],
                   .widest_high_bytes = footprints[std::min(point.to + 1, values.size() - 1)],
                   .confidence = point.confidence,
                   .gradual = point.gradual(),
                   .before = stats::median(span.subspan(first, point.from - first + 1)),
                   .after = stats::median(span.subspan(point.to, last - point.to + 1))});
  }
  return all;
}

std::vector<std::optional<std::size_t>> match(std::span<const std::int64_t> capacities,
                                              std::span<const Boundary> boundaries) {
  // cost[i][j]: of the first i capacities and the first j boundaries; like an edit distance.
  const std::size_t rows = capacities.size() + 1, columns = boundaries.size() + 1;
  std::vector<std::vector<double>> cost(rows, std::vector<double>(columns, 0));
  for (std::size_t j = 1; j < columns; ++j) cost[0][j] = cost[0][j - 1] + kPriceOfLeftOver;
  const auto matched = [&](std::size_t i, std::size_t j) {
    return cost[i - 1][j - 1] + price(capacities[i - 1], boundaries[j - 1]);
  };
  for (std::size_t i = 1; i < rows; ++i)
    for (std::size_t j = 1; j < columns; ++j)
      cost[i][j] = std::min({cost[i - 1][j], cost[i][j - 1] + kPriceOfLeftOver, matched(i, j)});

  std::vector<std::optional<std::size_t>> result(capacities.size());
  for (std::size_t i = rows - 1, j = columns - 1; i > 0 && j > 0;) {
    if (cost[i][j] == matched(i, j)) {
      result[--i] = --j;
    } else if (cost[i][j] == cost[i - 1][j]) {
      --i;
    } else {
      --j;
    }
  }
  return result;
}

}  // namespace map
