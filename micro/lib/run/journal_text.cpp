#include "run/journal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "core/json.hpp"

namespace run {
namespace {

using core::Json;

// The first key of the first line: what makes a torn first line a torn journal and not some file.
constexpr std::string_view kMagic = R"({"journal_version":)";

constexpr std::size_t kMostOfId = 200;  // in a message
constexpr std::int64_t kMostRepetitions = 1'000'000'000;

constexpr std::array<std::pair<const char*, std::string Identity::*>, 5> kTextFields{{
    {"device_uuid", &Identity::device_uuid},
    {"device", &Identity::device},
    {"driver", &Identity::driver},
    {"config_sha256", &Identity::config_sha256},
    {"machine_code_sha256", &Identity::machine_code_sha256},
}};

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

[[noreturn]] void no_journal(const std::string& file) {
  throw core::UsageError(fmt::format("{} is no journal of a run", file));
}

Identity identity_from(std::string_view line, const std::string& file) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("journal_version")) no_journal(file);
  if (json.at("journal_version") != kJournalVersion)
    throw core::UsageError(fmt::format("{} is a journal of version {}; this program reads {}", file,
                                       json.at("journal_version").dump(), kJournalVersion));
  try {
    Identity identity;
    for (const auto& [name, field] : kTextFields) identity.*field = json.at(name);
    identity.seed = json.at("seed").get<std::uint64_t>();
    identity.config_text = json.value("config", std::string());
    return identity;
  } catch (const Json::exception&) {
    no_journal(file);
  }
}

// Conversions of JSON cut what does not fit into an int to something that does.
int repetition_number_from(const Json& json) {
  const auto at = json.find("number");
  if (at == json.end() || !at->is_number_integer())
    throw std::invalid_argument("key 'number' is no whole number");
  const auto number = at->get<std::int64_t>();
  if (at->is_number_unsigned() ? at->get<std::uint64_t>() > kMostRepetitions
                               : number < 0 || number > kMostRepetitions)
    throw std::invalid_argument("key 'number' is negative or huge");
  return static_cast<int>(number);
}

// A list in whose place something else stands would be read as an empty one, or as one of one.
void require_lists(const Json& json) {
  for (const char* key : {"metrics", "columns", "tables", "facts", "checks", "health", "counters"})
    if (const auto at = json.find(key); at != json.end() && !at->is_array())
      throw std::invalid_argument(fmt::format("key '{}' is no list", key));
}

void take_line(std::string_view line, JournalText& into) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) throw std::invalid_argument("it is no JSON object");
  if (!json.contains("id") || !json.at("id").is_string())
    throw std::invalid_argument("key 'id' is missing");
  const std::string id = json.at("id").get<std::string>();
  if (json.contains("failed")) {
    if (!json.at("failed").is_string()) throw std::invalid_argument("a failure needs a text");
    into.failures[id].push_back(
        {repetition_number_from(json), json.at("failed").get<std::string>()});
    return;
  }
  require_lists(json);
  core::Repetition repetition = core::repetition_from(json);
  repetition.number = repetition_number_from(json);
  auto& all = into.recorded[id];
  if (std::ranges::any_of(all, [&](const auto& r) { return r.number == repetition.number; }))
    throw std::invalid_argument(fmt::format("repetition {} of {} is there twice", repetition.number,
                                            id.substr(0, kMostOfId)));
  all.push_back(std::move(repetition));
}

}  // namespace

std::string identity_line(const Identity& identity) {
  Json json{{"journal_version", kJournalVersion}};
  for (const auto& [name, field] : kTextFields) json[name] = identity.*field;
  json["seed"] = identity.seed;
  json["config"] = identity.config_text;
  return line_of(json);
}

std::string repetition_line(const std::string& id, const core::Repetition& repetition) {
  Json json{{"id", id}};
  json.update(core::to_json(repetition));
  return line_of(json);
}

std::string failure_line(const std::string& id, const Failure& failure) {
  return line_of({{"id", id}, {"number", failure.repetition}, {"failed", failure.reason}});
}

JournalText parse_journal(std::string_view text, const std::string& file) {
  JournalText result;
  if (text.find('\n') == std::string_view::npos) {
    const std::size_t common = std::min(text.size(), kMagic.size());
    if (text.substr(0, common) != kMagic.substr(0, common)) no_journal(file);
    return result;
  }
  for (int number = 1; result.whole_bytes < text.size(); ++number) {
    const std::size_t end = text.find('\n', result.whole_bytes);
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(result.whole_bytes, end - result.whole_bytes);
    if (number == 1) {
      result.identity = identity_from(line, file);
    } else {
      try {
        take_line(line, result);
      } catch (const std::exception& error) {
        throw core::UnavailableError(
            fmt::format("{}:{}: damaged line ({}); cutting the file before it keeps what is above",
                        file, number, error.what()));
      }
    }
    result.whole_bytes = end + 1;
  }
  return result;
}

}  // namespace run
