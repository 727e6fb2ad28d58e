#include "app/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "app/choice.hpp"
#include "app/console.hpp"
#include "app/context.hpp"
#include "app/deliver.hpp"
#include "app/listing.hpp"
#include "app/output.hpp"
#include "app/paths.hpp"
#include "app/program_facts.hpp"
#include "app/progress.hpp"
#include "config/known_devices.hpp"
#include "config/plan.hpp"
#include "core/error.hpp"
#include "report/file.hpp"
#include "report/terminal.hpp"
#include "run/runner.hpp"
#include "run/signals.hpp"
#include "stats/summary.hpp"

namespace app {
namespace {

using Steady = std::chrono::steady_clock;

double seconds_since(Steady::time_point start) {
  return std::chrono::duration<double>(Steady::now() - start).count();
}

config::Plan make_plan(const config::Config& config, std::span<const core::ProbeSpec> specs,
                       const config::Target& target, const std::string& filter) {
  config::Plan plan = config::plan(config, specs, target);
  if (!filter.empty()) plan = config::filter(std::move(plan), filter);
  double cheapest_seconds = std::numeric_limits<double>::infinity();
  for (const config::PlannedPoint& point : plan.points)
    if (point.skip_reason.empty())
      cheapest_seconds = std::min(cheapest_seconds, point.cost.seconds * point.repetitions);
  plan = config::shorten(std::move(plan), config.max_minutes);
  // Nothing measured would be a success with nothing in it. As with a filter that matches nothing,
  // it is what was asked for that is wrong (64), and the caller is told what to ask for.
  if (std::isfinite(cheapest_seconds) &&
      std::ranges::none_of(plan.points, &std::string::empty, &config::PlannedPoint::skip_reason))
    throw core::UsageError(fmt::format(
        "max_minutes: {:.9f} leaves no point to measure; {:.9f} is enough for the cheapest",
        config.max_minutes, std::ceil(1.1e9 * cheapest_seconds / 60) / 1e9));
  return plan;
}

std::vector<run::Task> tasks_of(const config::Plan& plan) {
  std::vector<run::Task> tasks;
  for (const config::PlannedPoint& planned : plan.points)
    tasks.push_back({.point = planned.point,
                     .spec = planned.spec,
                     .repetitions = planned.repetitions,
                     .skip_reason = planned.skip_reason,
                     .expected_seconds = planned.cost.seconds});
  return tasks;
}

std::string in_a_message(std::string id) {
  constexpr std::size_t kMost = 200;
  return id.size() <= kMost ? id : id.substr(0, kMost) + "...";
}

run::Journal open_journal(const Output& output, const CommandLine& line,
                          const run::Identity& identity, const std::vector<run::Task>& tasks,
                          std::vector<std::string>& notes) {
  if (line.resume.empty()) return {output.journal, identity};
  run::Journal journal = run::Journal::resume(output.journal, identity);
  if (!journal.repair().empty()) notes.push_back(journal.repair());
  std::map<std::string, int> planned;
  for (const run::Task& task : tasks) planned.emplace(task.point.id(), task.repetitions);
  // A narrower filter would write a result without them, and then remove the journal.
  const auto require_planned = [&](const std::string& id, int number) {
    const auto at = planned.find(id);
    if (at == planned.end())
      throw core::UnavailableError(output.journal.string() + " holds " + in_a_message(id) +
                                   ", which is not in this plan; give the same --filter as then");
    if (number >= at->second)
      throw core::UnavailableError(fmt::format(
          "{} holds repetition {} of {}, of which the plan has 0 to {}: a damaged line; without "
          "it the rest can be resumed",
          output.journal.string(), number, id, at->second - 1));
  };
  for (const auto& [id, repetitions] : journal.recorded())
    for (const core::Repetition& repetition : repetitions) require_planned(id, repetition.number);
  for (const auto& [id, failures] : journal.failures())
    for (const run::Failure& failure : failures) require_planned(id, failure.repetition);
  return journal;
}

}  // namespace

int exit_code(const report::Results& results) {
  const auto any = [&](core::Status status) {
    return std::ranges::count(results.measurements, status, &core::Measurement::status) > 0;
  };
  if (!results.complete || any(core::Status::failed)) return core::exit_code::kUnknown;
  if (any(core::Status::unstable) || any(core::Status::invalid)) return core::exit_code::kWarning;
  return core::exit_code::kOk;
}

int measure(const CommandLine& line, const std::vector<BackendEntry>& backends) {
  const auto started = Steady::now();
  if (line.resume.empty()) check_target(line.json, line.force);
  check_target(line.csv, line.force);

  const Choice choice = choose(line, backends, shared_folder() / "configs");
  const config::Config config = read_config(choice.file, line);
  const auto backend = make_backend(config, choice, line, backends);
  require_available(*backend, config, choice);

  report::Results results;
  results.context = context_of(config, backend->describe(), line);
  const core::Description& device = results.context.before;
  refuse_or_note_other_device(config, choice, line, results.context);
  const std::vector<core::ProbeSpec> specs = backend->probes();
  const config::Plan plan =
      make_plan(config, specs, {device.capacities, names(config, device)}, line.filter);
  std::ranges::copy(plan.notes, std::back_inserter(results.context.notes));

  const Output output = settle_output({.json = line.json,
                                       .configured = config.output,
                                       .csv = line.csv,
                                       .resume = line.resume,
                                       .config = choice.file,
                                       .force = line.force},
                                      report::default_file_name(results));
  const std::vector<run::Task> tasks = tasks_of(plan);
  const run::Signals signals;  // before there is a journal, which a signal must not leave alone
  run::Journal journal =
      open_journal(output, line, identity_of(results.context), tasks, results.context.notes);
  if (!line.quiet)
    for (const std::string& note : results.context.notes) say(note);

  ProgressLine progress(stderr, is_terminal(stderr), columns_of(stderr));
  run::Options options{.seed = config.seed};
  if (line.watchdog_seconds) options.watchdog_seconds = *line.watchdog_seconds;
  if (config.max_minutes > 0)
    options.deadline_seconds = std::max(0.001, config.max_minutes * 60 - seconds_since(started));
  if (!line.quiet) options.on_progress = [&](const run::Progress& now) { progress.show(now); };
  options.interrupted = [&] { return signals.interrupted(); };
  run::Outcome outcome = run::run(tasks, *backend, journal, options);
  progress.clear();

  close_context(results, *backend, outcome, signals.signal_number());
  results.measurements = map::judge(std::move(outcome.measurements), device);
  results.map = map::draw(results.measurements, device);
  deliver(results, line, output, outcome.journal_error);
  return outcome.interrupted ? core::exit_code::kInterrupted : exit_code(results);
}

int dry_run(const CommandLine& line, const std::vector<BackendEntry>& backends) {
  const auto started = Steady::now();
  const Choice choice = choose(line, backends, shared_folder() / "configs");
  const config::Config config = read_config(choice.file, line);
  const auto backend = make_backend(config, choice, line, backends);
  DryRun about{.configuration = choice.file.string(), .assumed = !line.assume.empty()};
  config::Target target;
  if (about.assumed) {
    if (config.backend != "cuda")
      throw core::UsageError("--assume is for GPUs, and " + choice.file.string() +
                             " measures with the " + config.backend + " backend");
    const config::KnownDevice& known = assumed_device(line.assume);
    about.device = known.title + ", assumed";
    target = {known.capacities, config.device == "any" || config.device == known.key};
  } else {
    require_available(*backend, config, choice);
    report::Context context;
    context.before = backend->describe();
    backend->release();  // as long as taking it, and as little of the plan's
    about.driver_seconds = seconds_since(started);
    refuse_or_note_other_device(config, choice, line, context);
    about.device = context.before.device;
    about.warnings = context.notes;
    target = {context.before.capacities, names(config, context.before)};
  }
  const std::vector<core::ProbeSpec> specs = backend->probes();
  print(dry_run_text(config, make_plan(config, specs, target, line.filter), about));
  return core::exit_code::kOk;
}

int reanalyze(const CommandLine& line) {
  check_target(line.json, line.force);
  check_target(line.csv, line.force);
  report::Results results = report::read(line.file);
  for (core::Measurement& measurement : results.measurements)
    measurement.summary = stats::summarize(measurement.repetitions);
  results.measurements = map::judge(std::move(results.measurements), results.context.before);
  results.map = map::draw(results.measurements, results.context.before);

  Output output{.json = line.json, .csv = line.csv, .journal = {}};
  const std::string name = report::default_file_name(results);
  if (std::filesystem::is_directory(output.json)) output.json = unused(output.json / name);
  if (std::filesystem::is_directory(output.csv))
    output.csv = unused(output.csv / std::filesystem::path(name).replace_extension(".csv"));
  require_apart(output, {});
  if (!output.json.empty()) report::write(results, output.json);
  if (!output.csv.empty()) report::write_file(output.csv, report::csv(results));
  print_map(results, line, output.takes_stdout() ? stderr : stdout, output.json);
  return exit_code(results);
}

}  // namespace app
