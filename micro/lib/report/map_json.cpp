#include "report/map_json.hpp"

#include "report/fields.hpp"

namespace report {
namespace {

using core::Json;

Json or_null(double value) {
  return std::isfinite(value) && value != 0 ? Json(value) : Json(nullptr);
}
Json or_null(std::int64_t value) { return value != 0 ? Json(value) : Json(nullptr); }

double known(const Json& json, const char* key) {
  const double value = number(json, key);
  return std::isnan(value) ? 0 : value;
}

Json entry_json(const map::Entry& entry) {
  Json json = core::to_json(entry.estimate);
  json["status"] = core::to_string(entry.status);
  json["note"] = entry.note;
  json["method"] = entry.method;
  json["ceiling"] = or_null(entry.ceiling);
  json["published"] = nullptr;
  if (entry.published)
    json["published"] = {{"low", entry.published->low},
                         {"high", entry.published->high},
                         {"unit", entry.published->unit},
                         {"source", entry.published->source},
                         {"key", entry.published->key}};
  json["points"] = entry.points;
  return json;
}

core::Estimate estimate_from(const Json& json) {
  return {.name = text(json, "name"),
          .unit = text(json, "unit"),
          .value = number(json, "value"),
          .low = number(json, "low"),
          .high = number(json, "high"),
          .confidence = number(json, "confidence"),
          .n = static_cast<int>(whole(json, "n")),
          .spread = number(json, "spread")};
}

map::Published published_from(const Json& json) {
  return {.low = number(json, "low"),
          .high = number(json, "high"),
          .unit = text(json, "unit"),
          .source = text(json, "source"),
          .key = text(json, "key")};
}

map::Entry entry_from(const Json& json) {
  const auto status = core::status_from(text(json, "status"));
  if (!status) throw std::invalid_argument("key 'status' is no status");
  map::Entry entry{.estimate = estimate_from(json),
                   .method = text(json, "method"),
                   .points = texts(json, "points"),
                   .ceiling = known(json, "ceiling"),
                   .status = *status,
                   .note = text(json, "note")};
  if (const Json& published = field(json, "published"); !published.is_null())
    entry.published = inside("published", [&] { return published_from(published); });
  return entry;
}

Json capacity_json(const map::Capacity& capacity) {
  return {{"stated_bytes", or_null(capacity.stated_bytes)},
          {"stated_by", capacity.stated_by},
          {"found_bytes", or_null(capacity.found_bytes)},
          {"found_low_bytes", or_null(capacity.found_low_bytes)},
          {"found_high_bytes", or_null(capacity.found_high_bytes)},
          {"confidence", or_null(capacity.confidence)},
          {"note", capacity.note}};
}

map::Capacity capacity_from(const Json& json) {
  return {.stated_bytes = whole(json, "stated_bytes"),
          .stated_by = text(json, "stated_by"),
          .found_bytes = whole(json, "found_bytes"),
          .found_low_bytes = whole(json, "found_low_bytes"),
          .found_high_bytes = whole(json, "found_high_bytes"),
          .confidence = known(json, "confidence"),
          .note = text(json, "note")};
}

Json entries_json(const std::vector<map::Entry>& entries) {
  Json array = Json::array();
  for (const map::Entry& entry : entries) array.push_back(entry_json(entry));
  return array;
}

map::MapLevel level_from(const Json& json) {
  return {.name = text(json, "name"),
          .scope = text(json, "scope"),
          .capacity = inside("capacity", [&] { return capacity_from(field(json, "capacity")); }),
          .latency = each(json, "latency", entry_from),
          .bandwidth = each(json, "bandwidth", entry_from),
          .status = text(json, "status")};
}

}  // namespace

Json to_json(const map::MemoryMap& memory_map) {
  Json levels = Json::array();
  for (const map::MapLevel& level : memory_map.levels)
    levels.push_back({{"name", level.name},
                      {"scope", level.scope},
                      {"status", level.status},
                      {"capacity", capacity_json(level.capacity)},
                      {"latency", entries_json(level.latency)},
                      {"bandwidth", entries_json(level.bandwidth)}});
  return {{"levels", levels},
          {"overheads", entries_json(memory_map.overheads)},
          {"figures", entries_json(memory_map.figures)},
          {"unexplained", memory_map.unexplained},
          {"disagreements", memory_map.disagreements}};
}

map::MemoryMap map_from(const Json& json) {
  return {.levels = each(json, "levels", level_from),
          .overheads = each(json, "overheads", entry_from),
          // Recordings from before there were figures are whole without them.
          .figures = json.contains("figures") ? each(json, "figures", entry_from)
                                              : std::vector<map::Entry>(),
          .unexplained = texts(json, "unexplained"),
          .disagreements = texts(json, "disagreements")};
}

}  // namespace report
