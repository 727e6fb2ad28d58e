#pragma once
// The core's clock without a cycle counter: a chain of additions, each waiting for the one before,
// retires one a cycle. A virtual machine shows no cycle counter, and its time-stamp counter runs at
// a rate of its own.

#include <string>

#include "core/samples.hpp"

namespace host {

/// `windows` differences of two lengths of the chain (their common cost cancels), about 25 us each;
/// cycles and ns of the median difference times `windows`, so that a window in which the core was
/// taken away does not count. Runs on the calling thread, which should be pinned.
core::Clock measure_core_clock(int windows = 20);

/// Two calibrations around a measurement as one clock.
core::Clock joined(const core::Clock& before, const core::Clock& after);

struct WarmUp {
  core::Clock clock;   // of the last calibration
  double seconds = 0;  // until steady, or until given up
  bool steady = false;
  double spread = 0;  // of the last calibrations, relative: (max - min) / min
};

/// Calibrates until `kSteadyCount` successive ones agree within half a percent, at most
/// `limit_seconds`.
WarmUp warm_until_steady(double limit_seconds = 2);

}  // namespace host
