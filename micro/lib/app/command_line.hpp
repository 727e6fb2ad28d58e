#pragma once
// What was typed, as typed values. Nothing is opened or asked here.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct CommandLine {
  enum class Action { measure, list, dry_run, print_config, version, help, reanalyze, plot };
  Action action = Action::measure;

  std::filesystem::path config;  // empty: the one for what is here
  std::string filter;            // empty: all points
  std::string assume;            // a key of config/known_devices.hpp; with --dry-run only
  std::string device;            // index, UUID or PCI id; empty: the first
  bool strict_device = false;
  /// "a.b=value" in the order typed. --seed, --repetitions and --max-minutes are short forms: they
  /// are checked as a configuration is, and are part of its text and hash.
  std::vector<std::string> sets;
  std::optional<std::string>
      repetitions;  // as typed, also in `sets`: it counts for stanzas with their own, too
  std::optional<double> watchdog_seconds;  // 0: off
  std::filesystem::path resume;            // a journal

  std::filesystem::path json;  // "-": stdout; a folder: default name in it; empty: as configured
  std::filesystem::path csv;   // "-": stdout; empty: none
  bool force = false;
  bool quiet = false;
  bool verbose = false;

  std::filesystem::path file;             // of reanalyze and plot
  std::vector<std::string> plot_options;  // handed to the plot script as they are

  std::string help;  // the text, when asked for
};

/// Throws core::UsageError, one line.
CommandLine parse(int argc, const char* const* argv);

}  // namespace app
