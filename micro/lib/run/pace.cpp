#include "run/pace.hpp"

#include <algorithm>
#include <cmath>

namespace run {

double Pace::countable(double expected_seconds) {
  return std::isfinite(expected_seconds) && expected_seconds > 0 ? expected_seconds : 1e-3;
}

// The plan's own estimate weighs like one fiftieth of the run: one slow first point must not
// announce an hour.
Pace::Pace(double expected_seconds)
    : prior_seconds_(expected_seconds / 50), left_seconds_(expected_seconds) {}

void Pace::measured(double expected_seconds, double seconds) {
  dropped(expected_seconds);
  expected_seconds_ += expected_seconds;
  seen_seconds_ += seconds;
}

void Pace::dropped(double expected_seconds) {
  left_seconds_ = std::max(0.0, left_seconds_ - expected_seconds);
}

double Pace::remaining_seconds() const {
  const double expected = expected_seconds_ + prior_seconds_;
  return expected > 0 ? left_seconds_ * (seen_seconds_ + prior_seconds_) / expected : 0;
}

}  // namespace run
