#pragma once
// What a probe declares of itself. Everything that plans, lists, analyses or draws knows a probe
// only through this.

#include <functional>
#include <string>
#include <vector>

#include "core/axis.hpp"
#include "core/capacities.hpp"
#include "core/kind.hpp"
#include "core/point.hpp"

namespace core {

/// What one repetition of a point takes.
struct Cost {
  std::int64_t memory_bytes = 0;  // device memory that must be free
  double moved_bytes = 0;         // bytes that one repetition moves, warm laps included
  double seconds = 0;             // estimate, set-up included
};

struct ProbeSpec {
  std::string name;      // its path: "latency/global"
  std::string answers;   // what its curve answers; see core/answers.hpp
  std::string question;  // one line, for --list
  std::string method;    // one line; stands beside every number that the probe gives
  std::vector<Axis> axes = {};

  /// A point that no device could honour although each axis value is allowed alone (error 64): what
  /// is wrong and what is allowed, or empty.
  std::function<std::string(const Point&)> refuse = {};
  /// A point that this device cannot measure (`skipped`): the reason, or empty.
  std::function<std::string(const Point&, const Capacities&)> skip = {};
  std::function<Cost(const Point&, const Capacities&)> cost = {};

  Kind kind() const { return kind_of_probe(name); }
};

}  // namespace core
