#pragma once
// The middle of the windows of one repetition. Statistics over repetitions are not the backend's.

#include <algorithm>
#include <limits>
#include <vector>

namespace host {

/// The mean of the middle two for an even count; NaN for none.
inline double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace host
