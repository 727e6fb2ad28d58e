// The only file that includes CLI11: it takes longer to compile than the rest of the part.

#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace app {
namespace {

constexpr const char* kExamples =
    R"(Examples:
  suite                                  map what is here: the GPU, else this CPU
  suite configs/h200.yaml                the full map of an H200, as a table and as JSON in out/
  suite configs/h100_quick.yaml --json h100.json
  suite --list                           what can be measured, with axes and allowed values
  suite configs/h100.yaml --dry-run --assume h100      what it would take; needs no GPU
  suite configs/host.yaml --filter 'latency/.*' --set repetitions=9
  suite configs/h200.yaml --resume out/NAME.json.journal
  suite reanalyze FILE                   judge and draw a recorded run again
  suite plot FILE                        figures of a recorded run

)";

constexpr const char* kFooter =
    "Exit codes: 0 all ok or skipped, 1 unstable or invalid points, 3 failed or incomplete,\n"
    "64 usage or configuration, 130 interrupted (the partial result is written).";

// CLI11 cannot say "only with the plain run": what was typed before a subcommand would be ignored.
void refuse_options_before(const CLI::App& cli, const CLI::App& command) {
  for (const CLI::Option* option : cli.get_options())
    if (option->count() > 0)
      throw core::UsageError(option->get_name() + " does not go with " + command.get_name() +
                             "; suite " + command.get_name() + " --help lists what does");
}

// What would be ignored is refused: who asks for a file with --dry-run waits for it.
void refuse_ignored(const CLI::App& cli, const std::string& action,
                    const std::vector<std::string>& used) {
  for (const CLI::Option* option : cli.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && name != action && std::ranges::find(used, name) == used.end())
      throw core::UsageError(name + " does not go with " + action +
                             ", which measures nothing and would ignore it");
  }
}

// An empty value is a variable that was not set, and would be taken for an option not given.
void refuse_empty_values(const CLI::App& cli) {
  for (const CLI::Option* option : cli.get_options())
    for (const std::string& value : option->results())
      if (value.empty() && option->get_name() != "--filter")  // matches everything, as it should
        throw core::UsageError(option->get_name() + ": an empty value stands for nothing");
}

void add_output(CLI::App& cli, CommandLine& line) {
  cli.add_option("--json", line.json,
                 "write the result to FILE, to a default name in a folder, or to stdout (-)")
      ->type_name("FILE|-");
  cli.add_option("--csv", line.csv, "write one row a measurement and metric to FILE or stdout (-)")
      ->type_name("FILE|-");
  cli.add_flag("--force", line.force, "replace files that exist");
  cli.add_flag("-q,--quiet", line.quiet,
               "no progress and no table; stdout is the path of the result");
  cli.add_flag("-v,--verbose", line.verbose, "more detail in the table and of every point");
}

struct Raw {
  bool list = false, dry_run = false, print_config = false, version = false;
  std::vector<std::string> sets;
  std::optional<std::string> seed, max_minutes, watchdog;
};

void add_plain(CLI::App& cli, CommandLine& line, Raw& raw) {
  cli.add_option("CONFIG", line.config, "configuration; without one, the one for what is here")
      ->type_name("");
  cli.add_flag("--list", raw.list, "probes with question, axes, allowed values and auto");
  cli.add_flag("--dry-run", raw.dry_run, "points, bytes, time and memory of each stanza");
  cli.add_option("--assume", line.assume, "with --dry-run: plan for h100 or h200, asking no device")
      ->type_name("DEVICE");
  cli.add_flag("--print-config", raw.print_config, "the configuration as it will be used");
  cli.add_option("--filter", line.filter, "only points whose id matches in part")
      ->type_name("REGEX");
  cli.add_option("--set", raw.sets, "change one value of the configuration (repeatable)")
      ->type_name("a.b=VALUE")
      ->allow_extra_args(false);  // a.yaml of `--set seed=1 a.yaml` is no second value
  cli.add_option("--seed", raw.seed, "order, placement and chains follow from it")->type_name("N");
  cli.add_option("--repetitions", line.repetitions, "of every point")->type_name("N");
  cli.add_option("--max-minutes", raw.max_minutes, "shorten the plan to this time")
      ->type_name("MINUTES");
  cli.add_option("--timeout", raw.watchdog, "end a measurement that hangs this long (0: never)")
      ->type_name("SECONDS");
  cli.add_option("--device", line.device, "index, UUID or PCI id of the GPU")->type_name("ID");
  cli.add_flag("--strict-device", line.strict_device,
               "refuse a configuration made for another device");
  cli.add_option("--resume", line.resume, "continue the run of this journal")->type_name("JOURNAL");
  cli.add_flag("--version", raw.version, "git revision, build, compiler, CUDA toolkit, driver");
}

double seconds_from(const std::string& text) {
  double seconds = 0;
  if (!CLI::detail::lexical_cast(text, seconds) || !std::isfinite(seconds) || seconds < 0)
    throw core::UsageError("--timeout: '" + text + "' is no number of seconds of 0 or more");
  return seconds;
}

void finish_plain(const CLI::App& cli, CommandLine& line, const Raw& raw) {
  using Action = CommandLine::Action;
  if (raw.list + raw.dry_run + raw.print_config + raw.version > 1)
    throw core::UsageError("only one of --list, --dry-run, --print-config and --version");
  if (!line.assume.empty() && !raw.dry_run)
    throw core::UsageError("--assume goes with --dry-run only: nothing is measured without asking");
  std::vector<std::string> used{"--quiet", "--verbose"};
  if (raw.version) {
    line.action = Action::version;
    refuse_ignored(cli, "--version", used);
  }
  used.emplace_back("CONFIG");
  if (raw.list) {
    line.action = Action::list;
    if (!line.config.empty()) used.emplace_back("--set");
    refuse_ignored(cli, "--list", used);
  }
  for (const char* name : {"--set", "--seed", "--repetitions", "--max-minutes", "--device"})
    used.emplace_back(name);
  if (raw.print_config) {
    line.action = Action::print_config;
    refuse_ignored(cli, "--print-config", used);
  }
  for (const char* name : {"--assume", "--filter", "--strict-device"}) used.emplace_back(name);
  if (raw.dry_run) {
    line.action = Action::dry_run;
    refuse_ignored(cli, "--dry-run", used);
  }
  line.sets = raw.sets;
  const auto shorthand = [&](const char* key, const std::optional<std::string>& value) {
    if (value) line.sets.push_back(std::string(key) + "=" + *value);
  };
  shorthand("seed", raw.seed);
  shorthand("repetitions", line.repetitions);
  shorthand("max_minutes", raw.max_minutes);
  if (raw.watchdog) line.watchdog_seconds = seconds_from(*raw.watchdog);
}

}  // namespace

CommandLine parse(int argc, const char* const* argv) {
  CommandLine line;
  Raw raw;
  CLI::App cli("", "suite");
  cli.footer(kFooter);
  cli.set_help_flag("-h,--help", "this text");
  add_plain(cli, line, raw);
  add_output(cli, line);

  CLI::App* reanalyze = cli.add_subcommand("reanalyze", "judge and draw a recorded run again");
  reanalyze->add_option("FILE", line.file, "a result file")->required()->type_name("");
  add_output(*reanalyze, line);
  CLI::App* plot = cli.add_subcommand("plot", "figures of a recorded run, as SVG and PNG");
  plot->add_option("FILE", line.file, "a result file")->required()->type_name("");
  plot->allow_extras();
  plot->footer("Further options are handed to the plot script: --out DIR, where the figures go.");

  try {
    cli.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const bool whole = cli.get_subcommands().empty();
    line.action = CommandLine::Action::help;
    line.help = (whole ? kExamples : "") + cli.help();
    if (!line.help.ends_with('\n')) line.help += '\n';
    return line;
  } catch (const CLI::ParseError& error) {
    throw core::UsageError(std::string(error.what()) + "; suite --help lists what there is");
  }

  refuse_empty_values(cli);
  for (const CLI::App* command : cli.get_subcommands()) refuse_empty_values(*command);
  if (!cli.get_subcommands().empty()) refuse_options_before(cli, *cli.get_subcommands().front());
  if (reanalyze->parsed()) {
    line.action = CommandLine::Action::reanalyze;
  } else if (plot->parsed()) {
    line.action = CommandLine::Action::plot;
    line.plot_options = plot->remaining();
  } else {
    finish_plain(cli, line, raw);
  }
  if (line.quiet && line.verbose) throw core::UsageError("--quiet or --verbose, not both");
  if (line.json == "-" && line.csv == "-")
    throw core::UsageError("--json - and --csv - cannot both have stdout");
  return line;
}

}  // namespace app
