#include "run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "core/units.hpp"
#include "run/engine.hpp"
#include "run/pace.hpp"
#include "run/utc.hpp"
#include "run/watchdog.hpp"
#include "stats/summary.hpp"

namespace run {
namespace {

using Steady = std::chrono::steady_clock;
using Pair = std::pair<std::size_t, int>;

double seconds_since(Steady::time_point begin) {
  return std::chrono::duration<double>(Steady::now() - begin).count();
}

// What the engine is told of an entry that was not tried; it becomes no failure of its own.
struct NotTried : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PointState {
  std::string id;
  int planned = 0;           // repetitions to measure here and now
  int tried = 0;             // of those
  std::string failure = {};  // the first
  std::string skip = {};
};

// One run while it is going on.
class Progressing {
 public:
  Progressing(const std::vector<Task>& tasks, core::Backend& backend, Journal& journal,
              const Options& options);
  Outcome run();

 private:
  bool prepare();
  bool may_go_on();
  double measure(Pair pair);
  void keep(std::size_t task, core::Repetition repetition);
  void note_exception(std::size_t task, int repetition);
  void note_failed_check(std::size_t task, const core::Samples& samples);
  template <typename Entry>
  void write_down(const std::string& id, const Entry& entry);
  Watchdog::Watch watch(double seconds, const std::string& what);
  void tell(const std::string& id);
  void conclude(std::size_t task);
  void note(const Task& task, const PointState& point, std::size_t measured);

  const std::vector<Task>& tasks_;
  core::Backend& backend_;
  Journal& journal_;
  Options options_;
  const Steady::time_point begin_ = Steady::now();
  std::optional<Watchdog> watchdog_;
  std::vector<Pair> pairs_;  // still to be measured
  std::vector<PointState> points_;
  Pace pace_{0};
  std::size_t done_ = 0, total_ = 0;
  std::string stop_;  // why nothing more is measured; empty while it goes on
  bool lost_ = false;
  Outcome outcome_;
};

Progressing::Progressing(const std::vector<Task>& tasks, core::Backend& backend, Journal& journal,
                         const Options& options)
    : tasks_(tasks), backend_(backend), journal_(journal), options_(options) {
  if (options.watchdog_seconds > 0)
    watchdog_.emplace(options.watchdog_seconds, [this] { journal_.sync(); });
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    points_.push_back({.id = task.point.id(), .skip = task.skip_reason});
    outcome_.measurements.push_back({.point = task.point,
                                     .answers = task.spec ? task.spec->answers : "",
                                     .method = task.spec ? task.spec->method : ""});
    const auto at = journal.recorded().find(points_[i].id);
    if (at == journal.recorded().end()) continue;
    outcome_.measurements[i].repetitions = at->second;
    for (const core::Repetition& repetition : at->second) note_failed_check(i, repetition.samples);
  }
  double expected_seconds = 0;
  for (const Pair& pair : order(tasks, options.seed)) {
    ++total_;
    const auto& have = outcome_.measurements[pair.first].repetitions;
    if (std::ranges::find(have, pair.second, &core::Repetition::number) != have.end()) {
      ++done_;
      continue;
    }
    pairs_.push_back(pair);
    ++points_[pair.first].planned;
    expected_seconds += Pace::countable(tasks[pair.first].expected_seconds);
  }
  pace_ = Pace(expected_seconds);
}

Outcome Progressing::run() {
  std::vector<EngineEntry> entries;
  if (prepare())
    for (const Pair& pair : pairs_)
      entries.push_back({points_[pair.first].id, [this, pair] { return measure(pair); }});
  const std::vector<EngineRow> rows = run_in_order(entries);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    PointState& point = points_[pairs_[k].first];
    if (!rows[k].error.empty() && stop_.empty() && point.skip.empty() && point.failure.empty())
      point.failure = rows[k].error;  // not the probe's doing, and still not to be lost
  }
  if (!pairs_.empty()) tell(points_[pairs_.back().first].id);
  try {
    journal_.sync();
  } catch (const core::Error& error) {
    if (outcome_.journal_error.empty()) outcome_.journal_error = error.what();
  }
  for (std::size_t i = 0; i < tasks_.size(); ++i) conclude(i);
  outcome_.complete = stop_.empty();
  if (!outcome_.complete)
    outcome_.incomplete_reason = fmt::format("{}{} after {} of {} measurements",
                                             lost_ ? "device lost: " : "", stop_, done_, total_);
  return std::move(outcome_);
}

// The arena is as large as the whole plan needs, also when a resume has only small points left:
// placement, and with it the measurement, depends on it.
bool Progressing::prepare() {
  if (pairs_.empty() || !may_go_on()) return false;
  // Taking all memory of a large device may need longer than a strict limit for one point allows.
  const Watchdog::Watch watched =
      watch(std::max(options_.watchdog_seconds, 60.0), "preparing the device");
  const core::Capacities capacities = backend_.describe().capacities;
  std::int64_t memory_bytes = 0;
  for (const Task& task : tasks_)
    if (task.skip_reason.empty() && task.spec && task.spec->cost)
      memory_bytes = std::max(memory_bytes, task.spec->cost(task.point, capacities).memory_bytes);
  try {
    outcome_.warm_up = backend_.prepare(memory_bytes);
  } catch (const core::DeviceLostError& error) {
    lost_ = true;
    stop_ = error.what();
    return false;
  }
  return true;
}

bool Progressing::may_go_on() {
  if (!stop_.empty()) return false;
  if (options_.interrupted && options_.interrupted()) {
    outcome_.interrupted = true;
    stop_ = "interrupted";
  } else if (options_.deadline_seconds > 0 && seconds_since(begin_) >= options_.deadline_seconds) {
    stop_ = fmt::format("time limit of {}", core::format_seconds(options_.deadline_seconds));
  }
  return stop_.empty();
}

double Progressing::measure(Pair pair) {
  const auto [i, number] = pair;
  const Task& task = tasks_[i];
  PointState& point = points_[i];
  const double expected_seconds = Pace::countable(task.expected_seconds);
  if (!point.skip.empty()) {
    ++done_;
    pace_.dropped(expected_seconds);
    throw NotTried(point.skip);
  }
  if (!may_go_on()) throw NotTried(stop_);
  tell(point.id);
  const auto begin = Steady::now();
  core::Repetition repetition{.number = number,
                              .started_utc = iso8601_utc(std::chrono::system_clock::now())};
  ++done_;
  ++point.tried;
  try {
    const Watchdog::Watch watched =
        watch(std::max(options_.watchdog_seconds, 20 * expected_seconds),
              fmt::format("{} (repetition {})", point.id, number));
    repetition.samples = backend_.measure(
        task.point, {.seed = options_.seed, .repetition = number, .evidence = options_.evidence});
  } catch (...) {
    pace_.measured(expected_seconds, seconds_since(begin));
    note_exception(i, number);
    throw;
  }
  pace_.measured(expected_seconds, seconds_since(begin));
  const double time_ns = repetition.samples.time_ns;
  keep(i, std::move(repetition));
  return time_ns;
}

void Progressing::keep(std::size_t i, core::Repetition repetition) {
  auto& all = outcome_.measurements[i].repetitions;
  all.push_back(std::move(repetition));
  write_down(points_[i].id, all.back());
  note_failed_check(i, all.back().samples);
}

// Called while the exception is being handled.
void Progressing::note_exception(std::size_t i, int number) {
  PointState& point = points_[i];
  std::string reason = "something was thrown that is no std::exception";
  bool skipped = false;
  try {
    throw;
  } catch (const core::DeviceLostError& error) {
    reason = stop_ = error.what();
    lost_ = true;
  } catch (const core::SkipError& error) {
    reason = point.skip = error.what();
    skipped = true;
  } catch (const std::exception& error) {
    reason = error.what();
  } catch (...) {
  }
  if (!skipped && point.failure.empty()) point.failure = reason;
  write_down(point.id, Failure{number, reason});
}

// A repetition with a failed check is a measurement and stays one: trying it again on resume would
// wash a sick device clean.
void Progressing::note_failed_check(std::size_t i, const core::Samples& samples) {
  const auto at = std::ranges::find(samples.checks, core::Verdict::fail, &core::Check::verdict);
  if (at == samples.checks.end() || !points_[i].failure.empty()) return;
  points_[i].failure =
      fmt::format("check '{}' failed{}{}", at->name, at->detail.empty() ? "" : ": ", at->detail);
}

// A full disk takes the journal, not the run: what was measured stays in memory and is reported.
template <typename Entry>
void Progressing::write_down(const std::string& id, const Entry& entry) {
  try {
    journal_.add(id, entry);
  } catch (const core::Error& error) {
    if (outcome_.journal_error.empty()) outcome_.journal_error = error.what();
  }
}

Watchdog::Watch Progressing::watch(double seconds, const std::string& what) {
  if (!watchdog_) return Watchdog::Watch(nullptr);
  return watchdog_->watch(
      seconds, fmt::format("watchdog: {} has not returned for {}; what was measured before it is "
                           "in {}, to be continued with --resume",
                           what, core::format_seconds(seconds), journal_.file().string()));
}

void Progressing::tell(const std::string& id) {
  if (!options_.on_progress) return;
  try {
    options_.on_progress({.id = id,
                          .done = done_,
                          .total = total_,
                          .elapsed_seconds = seconds_since(begin_),
                          .remaining_seconds = pace_.remaining_seconds()});
  } catch (const std::exception&) {  // a line that cannot be printed must not cost a measurement
    options_.on_progress = nullptr;
  }
}

void Progressing::conclude(std::size_t i) {
  core::Measurement& measurement = outcome_.measurements[i];
  PointState& point = points_[i];
  auto& repetitions = measurement.repetitions;
  std::ranges::sort(repetitions, {}, &core::Repetition::number);
  if (!repetitions.empty()) measurement.summary = stats::summarize(repetitions);
  // Measured in full before it came to be skipped: by the run that is being resumed.
  if (!repetitions.empty() && std::ssize(repetitions) >= tasks_[i].repetitions) point.skip.clear();
  if (lost_ && point.failure.empty() && point.skip.empty() && point.tried < point.planned)
    point.failure = stop_;
  if (!point.failure.empty()) {
    measurement.status = core::Status::failed;
    measurement.reason = point.failure;
  } else if (!point.skip.empty() && repetitions.empty()) {
    measurement.status = core::Status::skipped;
    measurement.reason = point.skip;
  } else if (repetitions.empty()) {
    measurement.status = core::Status::failed;
    measurement.reason =
        "not measured: " + (stop_.empty() ? std::string("no repetition was planned") : stop_);
  } else {
    note(tasks_[i], point, repetitions.size());
  }
}

// A point that is ok has no reason, and what happened to it must not be forgotten all the same.
void Progressing::note(const Task& task, const PointState& point, std::size_t measured) {
  if (!point.skip.empty())
    outcome_.notes.push_back(fmt::format("{} has {} of {} repetitions, the others were skipped: {}",
                                         point.id, measured, task.repetitions, point.skip));
  const auto before = journal_.failures().find(point.id);
  if (before != journal_.failures().end() && !before->second.empty())
    outcome_.notes.push_back(
        fmt::format("{} failed before the resume: {}", point.id, before->second.front().reason));
}

}  // namespace

Outcome run(const std::vector<Task>& tasks, core::Backend& backend, Journal& journal,
            const Options& options) {
  return Progressing(tasks, backend, journal, options).run();
}

}  // namespace run
