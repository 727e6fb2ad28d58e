#pragma once
// Plan -> measurements: the only step with effects. Warm-up, seeded interleaving of (repetition,
// point), journal, watchdog, signals.

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "run/journal.hpp"

namespace run {

/// A point to measure; run:: does not know configurations.
struct Task {
  core::Point point;
  const core::ProbeSpec* spec = nullptr;
  int repetitions = 1;
  std::string skip_reason = {};
  double expected_seconds = 0;  // of one repetition
};

/// One line of progress.
struct Progress {
  std::string id;
  std::size_t done = 0;  // (repetition, point) pairs
  std::size_t total = 0;
  double elapsed_seconds = 0;
  double remaining_seconds = 0;
};

struct Options {
  std::uint64_t seed = 1;
  core::Evidence evidence = {};
  double watchdog_seconds = 120;  // one measure() call longer than this (or than 20 x expected):
                                  // the process ends with exit 3, journal intact. 0: off
  double deadline_seconds = 0;    // stop early after this long, as incomplete. 0: none
  std::function<void(const Progress&)> on_progress = {};
  std::function<bool()> interrupted = {};  // asked between measurements
};

struct Outcome {
  std::vector<core::Measurement>
      measurements;  // one per task, in the order of the tasks, summarised
  bool complete = true;
  bool interrupted = false;
  std::string incomplete_reason = {};
  std::string warm_up = {};
};

/// The (task, repetition) pairs in the order in which they are measured: a seeded shuffle of all
/// points within each round of repetitions, so that drift is noise and every point has its first
/// repetition early.
std::vector<std::pair<std::size_t, int>> order(const std::vector<Task>& tasks, std::uint64_t seed);

Outcome run(const std::vector<Task>& tasks, core::Backend& backend, Journal& journal,
            const Options& options);

}  // namespace run
