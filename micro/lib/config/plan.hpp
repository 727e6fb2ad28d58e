#pragma once
// configuration x what probes declare x capacities -> the points to measure. Pure: no device, no
// clock, no file.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "core/backend.hpp"

namespace config {

struct PlannedPoint {
  core::Point point;
  const core::ProbeSpec* spec = nullptr;  // into the span given to plan()
  int repetitions = 1;
  std::string skip_reason = {};  // not empty: in the output as `skipped`, never measured
  core::Cost cost = {};          // of one repetition
  int stanza = 0;                // index in Config::stanzas, for --dry-run
};

struct Plan {
  std::vector<PlannedPoint>
      points;  // in the order of the stanzas; ids are unique (a repeated point is planned once,
               // with the larger number of repetitions)
  std::vector<std::string> notes = {};  // what a time budget took away, values left out because
                                        // this device does not state the capacity they name
};

/// What the plan may rely on: the queried device, or an assumed one for --dry-run --assume.
struct Target {
  core::Capacities capacities;
  /// Says whether a footprint above its memory is an error (64); else the point is `skipped`. Above
  /// free_memory it is `skipped` in any case.
  bool is_the_meant_device = true;
};

/// Throws Errors (unknown probe or axis with the nearest name, values that the axis or the probe
/// refuses, a footprint above the memory of the device that the configuration is meant for, no
/// stanza at all).
Plan plan(const Config& config, std::span<const core::ProbeSpec> specs, const Target& target);

/// Keeps the points whose id the ECMAScript regular expression matches in part. Throws
/// core::UsageError when the expression is no regular expression or nothing matches (naming a few
/// ids that exist).
Plan filter(Plan plan, const std::string& regex);

/// Shortens the plan to the budget, honestly: lowers repetitions (to no less than 3, all points
/// alike) before it skips the costliest points (skip_reason "time budget of 2 min"), and says in
/// `notes` what it did. minutes <= 0: unchanged.
Plan shorten(Plan plan, double minutes);

}  // namespace config
