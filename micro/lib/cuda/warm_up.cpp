#include "cuda/warm_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace cuda {

WarmUp judge(std::span<const double> window_hertz, double seconds) {
  WarmUp seen{.seconds = seconds};
  if (window_hertz.empty()) {
    return seen;
  }
  const auto count = std::min<std::size_t>(window_hertz.size(), kSteadyWindows);
  const auto last = window_hertz.last(count);
  std::vector<double> sorted(last.begin(), last.end());
  std::ranges::sort(sorted);
  seen.low_hertz = sorted.front();
  seen.high_hertz = sorted.back();
  seen.hertz = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  seen.steady =
      count == kSteadyWindows && seen.high_hertz - seen.low_hertz <= kSteadySpread * seen.hertz;
  return seen;
}

std::string warm_up_text(const WarmUp& seen) {
  if (seen.steady) {
    return fmt::format(
        "SM clock steady at {:.1f} MHz after {:.2f} s ({} windows of {:g} ms within "
        "{:g} %)",
        seen.hertz / 1e6, seen.seconds, kSteadyWindows, kWindowSeconds * 1e3, kSteadySpread * 1e2);
  }
  return fmt::format(
      "SM clock not steady after {:.2f} s: {:.1f} to {:.1f} MHz in the last {} "
      "windows of {:g} ms",
      seen.seconds, seen.low_hertz / 1e6, seen.high_hertz / 1e6, kSteadyWindows,
      kWindowSeconds * 1e3);
}

}  // namespace cuda
