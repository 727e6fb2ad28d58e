#pragma once
// Where a run's files go, settled and tried before anything is measured.

#include <filesystem>
#include <string>

#include "report/results.hpp"

namespace app {

struct Output {
  std::filesystem::path json;     // "-": stdout
  std::filesystem::path csv;      // "-": stdout; empty: none
  std::filesystem::path journal;  // beside the JSON, or in out/ when that is no regular file
  bool takes_stdout() const { return json == "-" || csv == "-"; }
};

struct OutputWishes {
  std::filesystem::path json = {};  // file, folder, "-", or empty: default name in ./out
  std::string configured = "auto";  // by the configuration: as `json`, which goes before it
  std::filesystem::path csv = {};
  std::filesystem::path resume = {};  // the journal to continue
  std::filesystem::path config = {};  // is read, and no output may be the same file
  bool force = false;
};

/// Names every file; makes ./out where it is needed. An existing default name gets a number behind
/// it. Throws core::UsageError (two of the files, configuration and journal among them, that are one
/// by whatever name, links that lead in a circle, a file that would be overwritten without --force, a journal of an
/// unfinished run in the way, a folder that is not there) and core::Error(3) (a folder or device
/// that cannot be written). A result that is marked incomplete may be replaced by the run that
/// resumes it.
Output settle_output(const OutputWishes& wishes, const std::string& default_name);

/// What settle_output() refuses of one named target: for those, no device need be asked first.
void check_target(const std::filesystem::path& file, bool force);

/// Throws core::UsageError when two of the files are one, by whatever name; `config` may be empty.
void require_apart(const Output& output, const std::filesystem::path& config);

/// The name, or the first of name_2, name_3, ... that neither is there nor has a journal.
std::filesystem::path unused(const std::filesystem::path& file);

}  // namespace app
