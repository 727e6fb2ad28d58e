#include "host/timer.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <vector>

#include "core/median.hpp"

namespace host {

TimerInfo measure_timer() {
  constexpr int kReadings = 2000;
  std::vector<double> steps;
  steps.reserve(kReadings);
  const std::int64_t start = now_ns();
  std::int64_t last = start;
  for (int reading = 0; reading < kReadings; ++reading) {
    const std::int64_t now = now_ns();
    if (now != last) steps.push_back(static_cast<double>(now - last));
    last = now;
  }
  // A coarse timer repeats itself between steps: what a reading costs then is the mean, not a step.
  const double mean = static_cast<double>(last - start) / kReadings;
  TimerInfo info{.source = "CLOCK_MONOTONIC_RAW"};
  std::string clocksource;
  if (std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
      file >> clocksource)
    info.source += " (" + clocksource + ")";
  info.resolution_ns =
      steps.empty() ? std::numeric_limits<double>::infinity() : *std::ranges::min_element(steps);
  info.read_ns = steps.size() == kReadings ? core::median(steps) : mean;
  return info;
}

}  // namespace host
