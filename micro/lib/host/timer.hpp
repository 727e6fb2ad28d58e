#pragma once
// The clock of fixed rate that every host interval is taken with.

#include <ctime>

#include <cstdint>
#include <string>

namespace host {

/// CLOCK_MONOTONIC_RAW: no adjustment of its rate by NTP while a window runs. On x86 the kernel's
/// reader waits for every earlier load (lfence before rdtsc), so a stop reading comes after the
/// last load of a chain.
inline std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

struct TimerInfo {
  std::string source;        // "CLOCK_MONOTONIC_RAW (tsc)"
  double resolution_ns = 0;  // least that two successive readings differ by, when they differ
  double read_ns = 0;        // median cost of one reading
};

/// Measured on the calling thread, under 1 ms.
TimerInfo measure_timer();

}  // namespace host
