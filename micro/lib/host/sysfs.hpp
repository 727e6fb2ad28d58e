#pragma once
// Small files of /sys and /proc.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace host {

/// The first line without its newline; nothing when the file cannot be read.
std::optional<std::string> read_line(const std::filesystem::path& file);

/// "key : value" lines, the first of each key; empty when the file cannot be read.
std::map<std::string, std::string> read_table(const std::filesystem::path& file);

/// Digits only.
std::optional<std::int64_t> parse_number(const std::string& text);

/// "32K", "1024K", "8M", "24576000 kB", "512" -> bytes; nothing for anything else.
std::optional<std::int64_t> parse_size(const std::string& text);

}  // namespace host
