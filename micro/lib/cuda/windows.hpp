#pragma once
// What a latency kernel is told and what it writes, and how that becomes samples.

#include <cstdint>
#include <string_view>

#include "core/samples.hpp"

namespace cuda {

inline constexpr std::uint32_t kMaxPairs = 128;

struct ClockReading {
  std::uint64_t cycles;
  std::uint64_t ns;
};

struct WindowPlan {
  std::uint32_t pairs = kMaxPairs;
  std::uint64_t short_operations = 0;
  std::uint64_t long_operations = 0;
  std::uint64_t warm_operations = 0;  // before the first window, not counted
  std::uint64_t minimum_ns = 1'000'000;
};

struct WindowRecord {
  ClockReading start;
  ClockReading stop;
  std::uint64_t extra_windows;  // short windows after the timed pairs
  std::uint32_t smid;
  std::uint32_t pairs;  // how many entries of the arrays were written
  std::uint64_t short_cycles[kMaxPairs];
  std::uint64_t long_cycles[kMaxPairs];
};

/// The check of latency_samples() that judges by times. What runs under a sanitizer has none to judge by.
inline constexpr std::string_view kStopClockWaits = "stop clock waits";

/// Dependent operations that a run of `plan` did in all, warm-up and extra windows included.
std::uint64_t operations_done(const WindowPlan& plan, const WindowRecord& record);

/// Cycles over nanoseconds between two readings on one SM.
core::Clock clock_between(const ClockReading& start, const ClockReading& stop);

/// Columns short_window, long_window (raw cycles) and the metrics (latency, cycles): the median of (long - short) / (operations
/// between them), and (latency, ns) by the clock that ran. The uncorrected average and what a window costs beside its operations are
/// kept as facts. The check `stop clock waits` fails when short windows lack an operation. Throws core::MeasureError when the record
/// is not plausible (a clock that was not read or stood still, windows that did not grow).
core::Samples latency_samples(const WindowPlan& plan, const WindowRecord& record);

}  // namespace cuda
