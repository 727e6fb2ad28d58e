#include "app/app.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "app/choice.hpp"
#include "app/command_line.hpp"
#include "app/console.hpp"
#include "app/listing.hpp"
#include "app/paths.hpp"
#include "app/pipeline.hpp"
#include "app/plot.hpp"
#include "app/program_facts.hpp"
#include "config/config.hpp"
#include "core/error.hpp"

namespace app {
namespace {

int list(const CommandLine& line, const std::vector<BackendEntry>& backends) {
  std::string only;
  if (!line.config.empty()) only = read_config(line.config, line).backend;
  std::string text;
  for (const BackendEntry& entry : backends) {
    if (!only.empty() && entry.name != only) continue;
    text += "backend " + entry.name + "\n\n";
    for (const core::ProbeSpec& spec : entry.make(line.device)->probes())
      text += probe_text(spec) + "\n";
  }
  print(text);
  return core::exit_code::kOk;
}

int print_config(const CommandLine& line, const std::vector<BackendEntry>& backends) {
  const Choice choice = choose(line, backends, shared_folder() / "configs");
  print(read_config(choice.file, line).text);
  return core::exit_code::kOk;
}

int version(const std::vector<BackendEntry>& backends) {
  std::string oldest_driver;
  for (const BackendEntry& entry : backends) oldest_driver += entry.oldest_driver;
  print(version_text(oldest_driver));
  return core::exit_code::kOk;
}

// What a plan needs of a device are its capacities. A driver that was asked for them would load every
// kernel first, and at the end take everything down again, which the system does without being
// asked when the process is gone: planning itself is a matter of milliseconds.
int dry_run_and_leave(const CommandLine& line, const std::vector<BackendEntry>& backends) {
  ::setenv("CUDA_MODULE_LOADING", "LAZY", 0);  // read by the driver when it starts
  const int code = dry_run(line, backends);
  std::fflush(nullptr);
  std::_Exit(code);
}

int dispatch(const CommandLine& line, const std::vector<BackendEntry>& backends) {
  switch (line.action) {
    case CommandLine::Action::measure:
      return measure(line, backends);
    case CommandLine::Action::list:
      return list(line, backends);
    case CommandLine::Action::dry_run:
      return dry_run_and_leave(line, backends);
    case CommandLine::Action::print_config:
      return print_config(line, backends);
    case CommandLine::Action::version:
      return version(backends);
    case CommandLine::Action::help:
      print(line.help);
      return core::exit_code::kOk;
    case CommandLine::Action::reanalyze:
      return reanalyze(line);
    case CommandLine::Action::plot:
      plot(line.file, line.plot_options);
  }
  return core::exit_code::kUsage;
}

// A file that is opened takes the lowest free number: with one of these closed, what is printed
// would land in the journal. Opened the wrong way round, so that using them stays an error: a result
// for a closed standard output is not written.
void fill_closed_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int run(int argc, char** argv, const std::vector<BackendEntry>& backends) {
  fill_closed_descriptors();
  // A reader that went away and a file that may not grow are errors of write(2), and not a death
  // without a word.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  try {
    return dispatch(parse(argc, argv), backends);
  } catch (const config::Errors& errors) {
    for (const config::Diagnostic& one : errors.all()) say_plain(one.line_text());
    return errors.exit_code();
  } catch (const core::Error& error) {
    say(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    say("out of memory");
  } catch (const std::exception& error) {
    say(std::string("unexpected: ") + error.what());
  }
  return core::exit_code::kUnknown;
}

}  // namespace app
