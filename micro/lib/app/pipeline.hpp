#pragma once
// The program in one page: configuration -> plan -> run -> map -> files.

#include <vector>

#include "app/app.hpp"
#include "app/command_line.hpp"
#include "report/results.hpp"

namespace app {

/// Measures, draws and writes. Returns the exit code.
int measure(const CommandLine& line, const std::vector<BackendEntry>& backends);

/// The plan with what it takes, on stdout.
int dry_run(const CommandLine& line, const std::vector<BackendEntry>& backends);

/// A recorded run through today's analysis: judged and drawn again from its raw samples.
int reanalyze(const CommandLine& line);

/// 0 all ok or skipped, 1 unstable or invalid points, 3 failed or incomplete.
int exit_code(const report::Results& results);

}  // namespace app
