#pragma once
// Everything measured is on disk the moment it was measured: JSON lines, write(2) repetition by
// repetition, fdatasync at most once a second and at the end. A first line identifies the run; a
// torn last line is dropped on reading.

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace run {

/// What must be equal for a journal to be continued; anything else is another experiment.
struct Identity {
  std::string device_uuid;
  std::string device;
  std::string driver;
  std::string config_sha256;
  std::string machine_code_sha256;
  std::uint64_t seed = 0;
  std::string config_text = {};  // normalised: names what differs where config_sha256 does
  bool operator==(const Identity&) const = default;
};

/// A repetition that gave no samples. Kept so that a journal tells why a run ended; on resume the
/// repetition is tried again, because a fresh process is what helps most failures.
struct Failure {
  int repetition = 0;
  std::string reason;
  bool operator==(const Failure&) const = default;
};

class Journal {
 public:
  /// Starts a new journal and locks it. Throws core::Error(3) when the file cannot be made or
  /// written, holds measurements already (they are never overwritten), or is in use by another
  /// process.
  Journal(std::filesystem::path file, const Identity& identity);
  /// Continues FILE. Throws core::UnavailableError naming every field that differs, old and new, or
  /// when another process has it, or when FILE is damaged anywhere but in its last line (with the
  /// line's number); core::UsageError when FILE is no journal.
  static Journal resume(std::filesystem::path file, const Identity& identity);
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal();

  /// Repetitions and failures that were already there when it was opened: id -> repetitions.
  const std::map<std::string, std::vector<core::Repetition>>& recorded() const;
  const std::map<std::string, std::vector<Failure>>& failures() const;
  /// What was not taken from it when it was opened: "the last line was not whole (...)"; or empty.
  const std::string& repair() const;
  /// These throw core::Error(3) with errno's text. A line that could not be written whole is taken
  /// out again, so that the journal stays readable and a later line can still succeed.
  void add(const std::string& id, const core::Repetition& repetition);
  void add(const std::string& id, const Failure& failure);
  void sync();
  const std::filesystem::path& file() const;

 private:
  struct State;
  explicit Journal(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace run
