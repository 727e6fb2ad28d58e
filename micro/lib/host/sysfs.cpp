#include "host/sysfs.hpp"

#include <charconv>
#include <fstream>
#include <limits>

namespace host {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::optional<std::int64_t> multiplier(const std::string& suffix) {
  if (suffix.empty() || suffix == "B") return 1;
  if (suffix == "K" || suffix == "kB") return std::int64_t{1} << 10;
  if (suffix == "M" || suffix == "MB") return std::int64_t{1} << 20;
  if (suffix == "G" || suffix == "GB") return std::int64_t{1} << 30;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> read_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) return std::nullopt;
  return trimmed(line);
}

std::map<std::string, std::string> read_table(const std::filesystem::path& file) {
  std::map<std::string, std::string> table;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (const auto colon = line.find(':'); colon != std::string::npos)
      table.try_emplace(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
  return table;
}

std::optional<std::int64_t> parse_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_size(const std::string& text) {
  const auto digits = text.find_first_not_of("0123456789");
  const auto value = parse_number(text.substr(0, digits));
  const auto scale =
      multiplier(digits == std::string::npos ? std::string() : trimmed(text.substr(digits)));
  if (!value || !scale || *value > std::numeric_limits<std::int64_t>::max() / *scale)
    return std::nullopt;
  return *value * *scale;
}

}  // namespace host
