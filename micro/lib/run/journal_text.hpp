#pragma once
// The journal as text: one JSON object a line. Pure; journal.cpp has the file.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/journal.hpp"

namespace run {

inline constexpr int kJournalVersion = 1;

/// Lines with their newline. Bytes that are no UTF-8 (a driver's message) are replaced, because
/// losing a measurement to its spelling would be worse.
std::string identity_line(const Identity& identity);
std::string repetition_line(const std::string& id, const core::Repetition& repetition);
std::string failure_line(const std::string& id, const Failure& failure);

struct JournalText {
  std::optional<Identity> identity;  // none: the run ended before its first line was whole
  std::map<std::string, std::vector<core::Repetition>> recorded;
  std::map<std::string, std::vector<Failure>> failures;
  std::size_t whole_bytes = 0;  // up to and with the last newline; what follows is a torn line
};

/// `file` is for messages. Throws core::UsageError when the text is no journal or of a newer version,
/// core::UnavailableError when it is damaged before its last line.
JournalText parse_journal(std::string_view text, const std::string& file);

/// "the device's UUID was 'GPU-1', is 'GPU-2'; the configuration: repetitions was '3', is '4'"; empty
/// when equal.
std::string differences(const Identity& was, const Identity& is);

}  // namespace run
