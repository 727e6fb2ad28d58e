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
    return identity;
  } catch (const Json::exception&) {
    no_journal(file);
  }
}

void take_line(std::string_view line, JournalText& into) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) throw std::invalid_argument("it is no JSON object");
  if (!json.contains("id") || !json.at("id").is_string())
    throw std::invalid_argument("key 'id' is missing");
  const std::string id = json.at("id").get<std::string>();
  if (json.contains("failed")) {
    const Json& number = json.contains("number") ? json.at("number") : Json();
    if (!number.is_number_integer() || !json.at("failed").is_string())
      throw std::invalid_argument("a failure needs a number and a text");
    into.failures[id].push_back({number.get<int>(), json.at("failed").get<std::string>()});
    return;
  }
  core::Repetition repetition = core::repetition_from(json);
  if (repetition.number < 0) throw std::invalid_argument("key 'number' is negative");
  auto& all = into.recorded[id];
  if (std::ranges::any_of(all, [&](const auto& r) { return r.number == repetition.number; }))
    throw std::invalid_argument(
        fmt::format("repetition {} of {} is there twice", repetition.number, id));
  all.push_back(std::move(repetition));
}

}  // namespace

std::string identity_line(const Identity& identity) {
  Json json{{"journal_version", kJournalVersion}};
  for (const auto& [name, field] : kTextFields) json[name] = identity.*field;
  json["seed"] = identity.seed;
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
        throw core::UsageError(
            fmt::format("{}:{}: damaged line ({}); cutting the file before it keeps what is above",
                        file, number, error.what()));
      }
    }
    result.whole_bytes = end + 1;
  }
  return result;
}

std::string differences(const Identity& was, const Identity& is) {
  std::string text;
  const auto add = [&text](const char* name, const auto& old_value, const auto& new_value) {
    if (old_value == new_value) return;
    text +=
        fmt::format("{}{} was '{}', is '{}'", text.empty() ? "" : "; ", name, old_value, new_value);
  };
  for (const auto& [name, field] : kTextFields) add(name, was.*field, is.*field);
  add("seed", was.seed, is.seed);
  return text;
}

}  // namespace run
