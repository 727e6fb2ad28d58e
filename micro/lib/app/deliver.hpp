#pragma once
// What a run leaves behind: files, and the map on the terminal. Whatever goes wrong with one of
// them, the others are still tried.

#include <cstdio>
#include <filesystem>
#include <string>

#include "app/command_line.hpp"
#include "app/output.hpp"
#include "report/results.hpp"

namespace app {

/// The map to `stream`, and where the result is (`json` empty or "-": nothing of it); under --quiet
/// only the latter, and only on stdout. Throws core::Error(3) when stdout cannot take it.
void print_map(const report::Results& results, const CommandLine& line, std::FILE* stream,
               const std::filesystem::path& json);

/// Writes JSON and CSV, removes the journal of a complete run whose JSON was written, prints the
/// map. A JSON that cannot be written goes to the system's folder for temporary files. Throws
/// core::Error(3) at the end of all that, with what could not be written, where the result is
/// instead, and what is lost: the journal counts only when `journal_error` is empty.
void deliver(const report::Results& results, const CommandLine& line, const Output& output,
             const std::string& journal_error);

}  // namespace app
