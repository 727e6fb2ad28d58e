// Why a journal is of another experiment, in the words of the one who has changed something.

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "run/journal_text.hpp"

namespace run {
namespace {

constexpr std::size_t kMostKeys = 4;  // that are named one by one
constexpr std::size_t kMostOfValue = 60;

std::string shown(const std::string& value) {
  if (value.size() <= kMostOfValue) return "'" + value + "'";
  return "'" + value.substr(0, kMostOfValue) + "...'";
}

using Keys = std::vector<std::pair<std::string, std::string>>;

// The lines of a normalised configuration: "repetitions" -> "3", "stanzas.0.footprint" -> "4KiB".
Keys keys_of(const std::string& text) {
  Keys keys;
  int stanza = -1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    const bool in_stanza = line.starts_with("  ");
    if (line.starts_with("  - ")) ++stanza;
    line.erase(0, in_stanza ? 4 : 0);
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string name = line.substr(0, colon);
    keys.emplace_back(in_stanza ? fmt::format("stanzas.{}.{}", stanza, name) : name,
                      line.substr(colon + 2));
  }
  return keys;
}

const std::string* value_of(const Keys& keys, const std::string& name) {
  const auto at = std::ranges::find(keys, name, &std::pair<std::string, std::string>::first);
  return at == keys.end() ? nullptr : &at->second;
}

std::string config_differences(const Identity& was, const Identity& is) {
  const Keys before = keys_of(was.config_text), now = keys_of(is.config_text);
  std::vector<std::string> all;
  for (const auto& [name, value] : before) {
    const std::string* other = value_of(now, name);
    if (other == nullptr)
      all.push_back(fmt::format("{} was {}, is not there", name, shown(value)));
    else if (*other != value)
      all.push_back(fmt::format("{} was {}, is {}", name, shown(value), shown(*other)));
  }
  for (const auto& [name, value] : now)
    if (value_of(before, name) == nullptr)
      all.push_back(fmt::format("{} was not there, is {}", name, shown(value)));
  // By an older program, which kept no text.
  if (was.config_text.empty() || all.empty())
    return fmt::format("the configuration's hash was '{}', is '{}'", was.config_sha256,
                       is.config_sha256);
  std::string text = "the configuration: ";
  for (std::size_t i = 0; i < std::min(all.size(), kMostKeys); ++i)
    text += (i == 0 ? "" : ", ") + all[i];
  if (all.size() > kMostKeys) text += fmt::format(", and {} more", all.size() - kMostKeys);
  return text;
}

}  // namespace

std::string differences(const Identity& was, const Identity& is) {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  const auto compare = [&](const char* name, const auto& old_value, const auto& new_value) {
    if (old_value != new_value)
      add(fmt::format("{} was '{}', is '{}'", name, old_value, new_value));
  };
  compare("the device's UUID", was.device_uuid, is.device_uuid);
  compare("the device", was.device, is.device);
  compare("the driver", was.driver, is.driver);
  compare("the hash of the program's machine code", was.machine_code_sha256,
          is.machine_code_sha256);
  if (was.config_sha256 != is.config_sha256) add(config_differences(was, is));
  // A configuration has its seed; only a difference that it does not name is one of its own.
  if (text.find("seed was") == std::string::npos) compare("the seed", was.seed, is.seed);
  return text;
}

}  // namespace run
