#include "app/output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "report/file.hpp"

namespace app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJournalSuffix = ".journal";

core::Error cannot_write(const fs::path& where, int error) {
  return {core::exit_code::kUnknown,
          "cannot write " + where.string() + ": " + std::strerror(error)};
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// The file that would be written, which need not be there: links are followed.
fs::path destination(fs::path file) {
  constexpr int kMostLinks = 40;  // as the kernel counts
  for (int links = 0;; ++links) {
    std::error_code none;
    const fs::path link = fs::read_symlink(file, none);
    if (none) return file;
    if (links == kMostLinks)
      throw core::UsageError("cannot write " + file.string() +
                             ": its symbolic links lead in a circle");
    file = file.parent_path() / link;
  }
}

bool are_one(const fs::path& one, const fs::path& other) {
  std::error_code error;
  if (fs::exists(one, error) && fs::exists(other, error)) return fs::equivalent(one, other, error);
  const fs::path resolved = fs::weakly_canonical(destination(fs::absolute(one)), error);
  return !error && resolved == fs::weakly_canonical(destination(fs::absolute(other)), error) &&
         !error;
}

bool is_special(const fs::path& file) {
  return file == "-" || (fs::exists(file) && !fs::is_regular_file(file) && !fs::is_directory(file));
}

void require_folder(const fs::path& file) {
  const fs::path folder = folder_of(destination(file));
  if (!fs::is_directory(folder))
    throw core::UsageError("cannot write " + file.string() + ": there is no folder " +
                           folder.string());
  report::require_writable_folder(folder);
}

bool is_partial_result(const fs::path& file) {
  try {
    return !report::read(file).complete;
  } catch (const core::Error&) {
    return false;
  }
}

fs::path out_folder() {
  const fs::path folder = "out";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw cannot_write(folder, error.value());
  return folder;
}

// A result that goes to stdout or to a device still needs a journal somewhere; the current folder
// of a cluster job may be read-only.
fs::path journal_apart(const std::string& default_name) {
  fs::path folder;
  try {
    folder = out_folder();
    report::require_writable_folder(folder);
  } catch (const core::Error&) {
    folder = fs::temp_directory_path();
  }
  return unused(folder / default_name).string() + kJournalSuffix;
}

// --force starts anew, but never under a run that is still going on.
void remove_unless_in_use(const fs::path& journal) {
  const int file = ::open(journal.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(journal.c_str());
  ::close(file);
}

fs::path resumed_target(const fs::path& journal) {
  fs::path target = journal;
  return journal.extension() == kJournalSuffix ? target.replace_extension()
                                               : fs::path(journal.string() + ".json");
}

}  // namespace

// Two runs of one device within a second would share the default name.
fs::path unused(const fs::path& file) {
  const auto taken = [](const fs::path& name) {
    return fs::exists(name) || fs::exists(name.string() + kJournalSuffix);
  };
  fs::path name = file;
  for (int number = 2; taken(name); ++number)
    name = folder_of(file) /
           (file.stem().string() + "_" + std::to_string(number) + file.extension().string());
  return name;
}

// The later one would replace the earlier. Devices and pipes replace nothing.
void require_apart(const Output& output, const fs::path& config) {
  const std::vector<std::pair<const char*, fs::path>> files{{"the JSON", output.json},
                                                            {"the CSV", output.csv},
                                                            {"the journal", output.journal},
                                                            {"the configuration", config}};
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t k = i + 1; k < files.size(); ++k) {
      const auto& [what, file] = files[i];
      const auto& [other_what, other] = files[k];
      if (file.empty() || other.empty() || is_special(file) || is_special(other)) continue;
      if (are_one(file, other))
        throw core::UsageError(std::string(what) + " and " + other_what +
                               " would be one file: " + file.string() +
                               (file == other ? std::string() : " and " + other.string()));
    }
}

void check_target(const fs::path& file, bool force) {
  if (file.empty() || file == "-") return;
  destination(file);
  if (fs::is_directory(file)) return;
  if (is_special(file)) {
    report::require_writable_special(file);
    return;
  }
  if (fs::exists(file) && !force)
    throw core::UsageError(file.string() + " exists; --force replaces it");
  require_folder(file);
}

Output settle_output(const OutputWishes& wishes, const std::string& default_name) {
  Output output{.json = wishes.json, .csv = wishes.csv, .journal = wishes.resume};
  if (output.json.empty() && !wishes.resume.empty())
    output.json = resumed_target(wishes.resume);
  else if (output.json.empty() && wishes.configured != "auto")
    output.json = wishes.configured;
  else if (output.json.empty())
    output.json = out_folder();
  for (const fs::path& file : {output.json, output.csv}) destination(file);
  if (fs::is_directory(output.json)) output.json = unused(output.json / default_name);
  if (fs::is_directory(output.csv))
    output.csv = unused(output.csv / fs::path(default_name).replace_extension(".csv"));

  if (wishes.resume.empty())
    output.journal = is_special(output.json) ? journal_apart(default_name)
                                             : fs::path(output.json.string() + kJournalSuffix);
  require_apart(output, wishes.config);

  const bool replaces_its_own =
      !wishes.resume.empty() && fs::is_regular_file(output.json) && is_partial_result(output.json);
  check_target(output.json, wishes.force || replaces_its_own);
  check_target(output.csv, wishes.force);
  if (wishes.resume.empty() && wishes.force) remove_unless_in_use(output.journal);
  return output;
}

}  // namespace app
