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
  /// Not empty: the journal could not be written from some point on, and why. The measurements here
  /// are whole all the same; only a resume would repeat the ones that the journal lacks.
  std::string journal_error = {};
  /// What the statuses do not tell: points that are kept with fewer repetitions than planned, and
  /// points that failed before the resume and are whole now. One sentence each, with the id.
  std::vector<std::string> notes = {};
};

/// The (task, repetition) pairs in the order in which they are measured: a seeded shuffle of all
/// points within each round of repetitions, so that drift is noise and every point has its first
/// repetition early.
std::vector<std::pair<std::size_t, int>> order(const std::vector<Task>& tasks, std::uint64_t seed);

/// Measures what the journal does not hold yet. Every task comes back:
///   ok       at least one repetition, none failed. Fewer than planned after an interruption, and
///            where a later one was skipped: memory that others took in mid-run does not unmake
///            what was measured before (its reason is in Outcome::notes).
///   skipped  Task::skip_reason, or SkipError (its other repetitions are then not tried), and no
///            repetition gave samples
///   failed   a repetition threw, a check's verdict is fail (the first reason counts; the other
///            repetitions are tried all the same: whether one in five or all five fail tells a sick
///            device from a wrong probe), the device was lost before it was whole, or nothing of it
///            was measured before the run ended.
/// A failure that a resume made good stays in Outcome::notes: it is no longer a reason to doubt the
/// number, and one to doubt the device. Whatever the status, the repetitions that gave samples are there. Throws what describe() and
/// prepare() throw, except DeviceLostError.
Outcome run(const std::vector<Task>& tasks, core::Backend& backend, Journal& journal,
            const Options& options);

}  // namespace run
