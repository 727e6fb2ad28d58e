#pragma once
// What one measurement of one point gives: raw samples, the numbers they reduce to, and what was
// checked on the way.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/quantity.hpp"

namespace core {

/// Raw samples, one entry a window, a pass or an SM, in the order in which they were taken.
struct Column {
  std::string name;
  std::string unit;
  std::vector<double> values;

  bool operator==(const Column&) const = default;
};

/// A named matrix beside the samples (SM x line), row-major.
struct Table {
  std::string name;
  std::string unit;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  bool operator==(const Table&) const = default;
};

/// The clock that ran: SM (or core) cycles counted over the nanoseconds of a clock of fixed rate,
/// inside the measurement.
struct Clock {
  double cycles = 0;
  double ns = 0;
  std::string method = {};  // "clock64 over globaltimer", "dependent-add calibration"

  double hertz() const { return ns > 0 ? cycles / ns * 1e9 : 0; }
  bool operator==(const Clock&) const = default;
};

enum class Verdict { pass, fail, not_available, not_applicable };

/// One thing that was verified while measuring: "final index", "poison overwritten". A failed check
/// makes the point `failed`.
struct Check {
  std::string name;
  Verdict verdict = Verdict::not_available;
  std::string detail = {};

  bool operator==(const Check&) const = default;
};

/// A check that passed or failed.
inline Check check(std::string name, bool passed, std::string detail) {
  return {std::move(name), passed ? Verdict::pass : Verdict::fail, std::move(detail)};
}

/// One repetition of one point.
struct Samples {
  /// What this repetition reduces to: the headline first, every (name, unit) once.
  std::vector<Quantity> metrics;
  std::vector<Column> columns = {};
  std::vector<Table> tables = {};
  /// Time of one operation: an access for latency, a pass for bandwidth, a launch. Google
  /// Benchmark's real_time.
  double time_ns = 0;
  Clock clock = {};
  /// What was done: declared bytes and what they count, lines walked, span, hops, warm laps,
  /// resident blocks, offset in the arena.
  std::vector<Quantity> facts = {};
  std::vector<Check> checks = {};
  /// Deltas over the measurement that may explain it (throttle time in ns, energy, error counters),
  /// empty where unreadable.
  std::vector<Quantity> health = {};
  /// Hardware counters, empty unless asked for and allowed.
  std::vector<Quantity> counters = {};

  bool operator==(const Samples&) const = default;
};

}  // namespace core
