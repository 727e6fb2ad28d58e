#pragma once
// The median, which probes take over their windows and statistics over repetitions.

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace core {

/// Median of values, averaging the middle two; NaN for none.
inline double median(std::span<const double> values) {
  if (values.empty()) return std::nan("");
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  if (sorted.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(sorted.begin(), middle)) / 2;
}

}  // namespace core
