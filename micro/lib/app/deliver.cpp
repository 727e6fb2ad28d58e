#include "app/deliver.hpp"

#include <stdlib.h>

#include <cerrno>
#include <exception>
#include <system_error>

#include "app/console.hpp"
#include "core/error.hpp"
#include "report/file.hpp"
#include "report/terminal.hpp"

namespace app {
namespace {

namespace fs = std::filesystem;

/// What went wrong, or empty.
template <typename Call>
std::string trouble_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

void write_csv(const report::Results& results, const fs::path& file) {
  if (!file.empty()) report::write_file(file, report::csv(results));
}

// A folder of its own: names in a shared folder can be guessed, and a link be put there.
fs::path write_to_temporary_folder(const report::Results& results) {
  std::string folder = (fs::temp_directory_path() / "suite-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr)
    throw fs::filesystem_error("cannot make a folder", folder,
                               std::error_code(errno, std::generic_category()));
  const fs::path file = fs::path(folder) / report::default_file_name(results);
  try {
    report::write(results, file);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    throw;
  }
  return file;
}

std::string with(std::string text, const std::string& more) {
  if (!text.empty() && !more.empty()) text += "; ";
  return text + more;
}

// The JSON could not be written where it was asked for. Sets `kept` when it is elsewhere; says where
// the samples are now.
std::string rescue(const report::Results& results, const fs::path& journal,
                   const std::string& journal_error, fs::path& kept) {
  std::string text = trouble_of([&] { kept = write_to_temporary_folder(results); });
  if (!kept.empty()) text = "the result is in " + kept.string() + " instead";
  if (journal_error.empty())
    return with(text, "the journal has it: to write it elsewhere, the same command with --resume " +
                          journal.string() + " --json FILE");
  if (!kept.empty()) return text;
  return with(text, "LOST: every sample that is not in " + journal.string() +
                        ", which is not whole (" + journal_error +
                        "); the map printed is all else");
}

}  // namespace

void print_map(const report::Results& results, const CommandLine& line, std::FILE* stream,
               const fs::path& json) {
  const bool is_file = !json.empty() && json != "-";
  if (line.quiet) {
    if (stream == stdout && is_file) print(json.string() + "\n");
    return;
  }
  std::string text = report::terminal_table(
      results,
      {.columns = columns_of(stream), .colour = wants_colour(stream), .verbose = line.verbose});
  if (is_file) text += "result: " + json.string() + "\n";
  if (stream == stdout)
    print(text);
  else
    std::fputs(text.c_str(), stream);
}

void deliver(const report::Results& results, const CommandLine& line, const Output& output,
             const std::string& journal_error) {
  fs::path kept = output.json;
  std::string trouble = trouble_of([&] { report::write(results, output.json); });
  if (!trouble.empty()) {
    kept.clear();
    trouble = with(trouble, rescue(results, output.journal, journal_error, kept));
  } else if (results.complete) {
    std::error_code error;  // the result is safe: a journal that stays is untidy and no more
    fs::remove(output.journal, error);
    if (error) say("cannot remove " + output.journal.string() + ": " + error.message());
  }
  std::string csv_trouble = trouble_of([&] { write_csv(results, output.csv); });
  if (!csv_trouble.empty() && !kept.empty())
    csv_trouble += "; the rows can be had from the result: suite reanalyze " +
                   (kept == "-" ? std::string("FILE.json") : kept.string()) + " --csv FILE.csv";
  trouble = with(trouble, csv_trouble);

  std::FILE* stream = output.takes_stdout() ? stderr : stdout;
  trouble = with(trouble, trouble_of([&] {
                   try {
                     print_map(results, line, stream, kept);
                   } catch (const core::Error&) {
                     if (kept.empty()) print_map(results, line, stderr, kept);
                     throw;
                   }
                 }));
  if (!results.complete)
    say("incomplete: " + results.incomplete_reason +
        "; to continue, the same command with --resume " + output.journal.string());
  if (!trouble.empty()) throw core::Error(core::exit_code::kUnknown, trouble);
}

}  // namespace app
