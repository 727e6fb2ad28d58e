#include "core/json.hpp"

#include <cmath>
#include <stdexcept>

namespace core {
namespace {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// Whole numbers are written without ".0": raw samples are mostly counts of cycles, and files stay
// small.
Json compact_number(double value) {
  if (std::isfinite(value) && value == std::trunc(value) && std::abs(value) < 9.0e15)
    return Json(static_cast<std::int64_t>(value));
  return number(value);
}

Json numbers(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(compact_number(value));
  return array;
}

Json quantities(const std::vector<Quantity>& all) {
  Json array = Json::array();
  for (const Quantity& quantity : all) array.push_back(to_json(quantity));
  return array;
}

const Json& at(const Json& json, const char* key) {
  if (!json.is_object() || !json.contains(key))
    throw std::invalid_argument(std::string("key '") + key + "' is missing");
  return json.at(key);
}

template <typename T>
T get(const Json& json, const char* key) {
  try {
    return at(json, key).get<T>();
  } catch (const Json::exception&) {
    throw std::invalid_argument(std::string("key '") + key + "' has the wrong type");
  }
}

template <typename T>
T get_or(const Json& json, const char* key, T fallback) {
  return json.is_object() && json.contains(key) ? get<T>(json, key) : fallback;
}

double double_from(const Json& json, const char* what) {
  if (json.is_null()) return std::nan("");
  if (!json.is_number())
    throw std::invalid_argument(std::string("'") + what + "' has the wrong type");
  return json.get<double>();
}

double get_double(const Json& json, const char* key) { return double_from(at(json, key), key); }

std::vector<double> numbers_from(const Json& json, const char* key) {
  std::vector<double> values;
  for (const Json& value : at(json, key)) values.push_back(double_from(value, key));
  return values;
}

std::vector<Quantity> quantities_from(const Json& json, const char* key) {
  std::vector<Quantity> all;
  for (const Json& one : at(json, key))
    all.push_back(
        {get<std::string>(one, "name"), get<std::string>(one, "unit"), get_double(one, "value")});
  return all;
}

Facts facts_from(const Json& json, const char* key) {
  Facts facts;
  if (!json.contains(key)) return facts;
  for (const auto& [name, value] : json.at(key).items()) {
    if (value.is_boolean())
      facts.push_back({name, value.get<bool>()});
    else if (value.is_number_integer())
      facts.push_back({name, value.get<std::int64_t>()});
    else if (value.is_number())
      facts.push_back({name, value.get<double>()});
    else if (value.is_string())
      facts.push_back({name, value.get<std::string>()});
    else if (value.is_array())
      facts.push_back({name, value.get<std::vector<std::string>>()});
    else if (value.is_null())
      facts.push_back({name, std::nan("")});
    else
      throw std::invalid_argument("fact '" + name + "' has the wrong type");
  }
  return facts;
}

std::string_view family_name(Family family) {
  switch (family) {
    case Family::operand:
      return "operand";
    case Family::scratchpad:
      return "scratchpad";
    case Family::cache:
      return "cache";
    case Family::memory:
      return "memory";
  }
  return "cache";
}

Family family_from(const std::string& word) {
  for (const Family family : {Family::operand, Family::scratchpad, Family::cache, Family::memory})
    if (family_name(family) == word) return family;
  throw std::invalid_argument("'" + word + "' is no family of levels");
}

Estimate estimate_from(const Json& json) {
  return {.name = get<std::string>(json, "name"),
          .unit = get<std::string>(json, "unit"),
          .value = get_double(json, "value"),
          .low = get_double(json, "low"),
          .high = get_double(json, "high"),
          .confidence = get_double(json, "confidence"),
          .n = get<int>(json, "n"),
          .spread = get_double(json, "spread")};
}

Level level_from(const Json& json) {
  return {.name = get<std::string>(json, "name"),
          .scope = get<std::string>(json, "scope"),
          .family = family_from(get<std::string>(json, "family")),
          .stated_capacity_bytes = get<std::int64_t>(json, "stated_capacity_bytes"),
          .stated_by = get<std::string>(json, "stated_by"),
          .reached_by = get<std::string>(json, "reached_by"),
          .ceiling_bytes_per_s = get_double(json, "ceiling_bytes_per_s"),
          .ceiling_bytes_per_cycle_per_sm = get_double(json, "ceiling_bytes_per_cycle_per_sm"),
          .ceiling_operations_per_cycle_per_sm =
              get_double(json, "ceiling_operations_per_cycle_per_sm"),
          .ceiling_source = get<std::string>(json, "ceiling_source")};
}

}  // namespace

Json to_json(const Quantity& quantity) {
  return {
      {"name", quantity.name}, {"unit", quantity.unit}, {"value", compact_number(quantity.value)}};
}

Json to_json(const Facts& facts) {
  Json object = Json::object();
  for (const Fact& fact : facts) {
    if (const double* value = std::get_if<double>(&fact.value))
      object[fact.name] = number(*value);
    else
      std::visit([&](const auto& other) { object[fact.name] = other; }, fact.value);
  }
  return object;
}

Json to_json(const Point& point) {
  Json axes = Json::array();
  for (const Setting& setting : point.settings) {
    Json value;
    std::visit([&](const auto& v) { value = v; }, setting.value);
    axes.push_back({{"axis", setting.axis}, {"unit", setting.unit}, {"value", value}});
  }
  return {{"id", point.id()}, {"probe", point.probe}, {"axes", axes}};
}

Json to_json(const Samples& samples) {
  Json columns = Json::array();
  for (const Column& column : samples.columns)
    columns.push_back(
        {{"name", column.name}, {"unit", column.unit}, {"values", numbers(column.values)}});
  Json tables = Json::array();
  for (const Table& table : samples.tables) {
    Json rows = Json::array();
    for (const auto& row : table.rows) rows.push_back(numbers(row));
    tables.push_back(
        {{"name", table.name}, {"unit", table.unit}, {"columns", table.columns}, {"rows", rows}});
  }
  Json checks = Json::array();
  for (const Check& check : samples.checks)
    checks.push_back(
        {{"name", check.name}, {"verdict", to_string(check.verdict)}, {"detail", check.detail}});
  Json json{{"metrics", quantities(samples.metrics)},
            {"columns", columns},
            {"time_ns", number(samples.time_ns)},
            {"clock",
             {{"cycles", compact_number(samples.clock.cycles)},
              {"ns", compact_number(samples.clock.ns)},
              {"method", samples.clock.method}}},
            {"facts", quantities(samples.facts)},
            {"checks", checks}};
  if (!samples.tables.empty()) json["tables"] = tables;
  if (!samples.health.empty()) json["health"] = quantities(samples.health);
  if (!samples.counters.empty()) json["counters"] = quantities(samples.counters);
  return json;
}

Json to_json(const Estimate& estimate) {
  return {{"name", estimate.name},
          {"unit", estimate.unit},
          {"value", number(estimate.value)},
          {"low", number(estimate.low)},
          {"high", number(estimate.high)},
          {"confidence", number(estimate.confidence)},
          {"n", estimate.n},
          {"spread", number(estimate.spread)}};
}

Json to_json(const Repetition& repetition) {
  Json json{{"number", repetition.number}, {"started_utc", repetition.started_utc}};
  json.update(to_json(repetition.samples));
  return json;
}

Json to_json(const Measurement& measurement) {
  Json summary = Json::array();
  for (const Estimate& estimate : measurement.summary) summary.push_back(to_json(estimate));
  Json repetitions = Json::array();
  for (const Repetition& repetition : measurement.repetitions)
    repetitions.push_back(to_json(repetition));
  Json json = to_json(measurement.point);
  json["answers"] = measurement.answers;
  json["method"] = measurement.method;
  json["status"] = to_string(measurement.status);
  json["reason"] = measurement.reason;
  json["summary"] = summary;
  json["repetitions"] = repetitions;
  return json;
}

Json to_json(const Level& level) {
  return {
      {"name", level.name},
      {"scope", level.scope},
      {"family", family_name(level.family)},
      {"stated_capacity_bytes", level.stated_capacity_bytes},
      {"stated_by", level.stated_by},
      {"reached_by", level.reached_by},
      {"ceiling_bytes_per_s", number(level.ceiling_bytes_per_s)},
      {"ceiling_bytes_per_cycle_per_sm", number(level.ceiling_bytes_per_cycle_per_sm)},
      {"ceiling_operations_per_cycle_per_sm", number(level.ceiling_operations_per_cycle_per_sm)},
      {"ceiling_source", level.ceiling_source}};
}

Json to_json(const Description& description) {
  Json capacities = Json::object();
  for (const auto& [name, value] : description.capacities.all()) capacities[name] = value;
  Json levels = Json::array();
  for (const Level& level : description.levels) levels.push_back(to_json(level));
  return {{"backend", description.backend},
          {"device", description.device},
          {"uuid", description.uuid},
          {"pci", description.pci},
          {"simulated", description.simulated},
          {"machine_code_sha256", description.machine_code_sha256},
          {"capacities", capacities},
          {"levels", levels},
          {"properties", to_json(description.properties)},
          {"explanations", to_json(description.explanations)},
          {"state", to_json(description.state)},
          {"missing", description.missing}};
}

Point point_from(const Json& json) {
  Point point{.probe = get<std::string>(json, "probe"), .settings = {}};
  for (const Json& axis : at(json, "axes")) {
    const Json& value = at(axis, "value");
    AxisValue parsed;
    if (value.is_number_integer())
      parsed = value.get<std::int64_t>();
    else if (value.is_string())
      parsed = value.get<std::string>();
    else
      throw std::invalid_argument("key 'value' of an axis has the wrong type");
    point.settings.push_back(
        {get<std::string>(axis, "axis"), get<std::string>(axis, "unit"), std::move(parsed)});
    const Setting& setting = point.settings.back();
    if (std::holds_alternative<std::string>(setting.value) != setting.unit.empty())
      throw std::invalid_argument("key 'value' of axis '" + setting.axis + "' of '" +
                                  get<std::string>(json, "id") +
                                  "' has the wrong type: a number has a unit, a word has none");
  }
  // The id is the identity everywhere: two that disagree are two points, and neither is to be
  // believed.
  if (const auto id = get<std::string>(json, "id"); id != point.id())
    throw std::invalid_argument("key 'id' is '" + id + "', but its axes are those of '" +
                                point.id() + "'");
  return point;
}

Samples samples_from(const Json& json) {
  Samples samples{.metrics = quantities_from(json, "metrics")};
  for (const Json& column : at(json, "columns"))
    samples.columns.push_back({get<std::string>(column, "name"), get<std::string>(column, "unit"),
                               numbers_from(column, "values")});
  if (json.contains("tables")) {
    for (const Json& table : json.at("tables")) {
      Table one{.name = get<std::string>(table, "name"),
                .unit = get<std::string>(table, "unit"),
                .columns = get<std::vector<std::string>>(table, "columns"),
                .rows = {}};
      for (const Json& row : at(table, "rows")) {
        std::vector<double> values;
        for (const Json& value : row) values.push_back(double_from(value, "rows"));
        one.rows.push_back(std::move(values));
      }
      samples.tables.push_back(std::move(one));
    }
  }
  samples.time_ns = get_double(json, "time_ns");
  const Json& clock = at(json, "clock");
  samples.clock = {get_double(clock, "cycles"), get_double(clock, "ns"),
                   get<std::string>(clock, "method")};
  samples.facts = quantities_from(json, "facts");
  for (const Json& check : at(json, "checks")) {
    const auto verdict = verdict_from(get<std::string>(check, "verdict"));
    if (!verdict) throw std::invalid_argument("key 'verdict' has an unknown value");
    samples.checks.push_back(
        {get<std::string>(check, "name"), *verdict, get<std::string>(check, "detail")});
  }
  // Left out where there are none.
  if (json.contains("health")) samples.health = quantities_from(json, "health");
  if (json.contains("counters")) samples.counters = quantities_from(json, "counters");
  return samples;
}

Repetition repetition_from(const Json& json) {
  return {.number = get<int>(json, "number"),
          .started_utc = get_or<std::string>(json, "started_utc", {}),
          .samples = samples_from(json)};
}

Measurement measurement_from(const Json& json) {
  const auto status = status_from(get<std::string>(json, "status"));
  if (!status) throw std::invalid_argument("key 'status' has an unknown value");
  Measurement measurement{.point = point_from(json),
                          .answers = get<std::string>(json, "answers"),
                          .method = get<std::string>(json, "method"),
                          .status = *status,
                          .reason = get<std::string>(json, "reason")};
  for (const Json& one : at(json, "repetitions"))
    measurement.repetitions.push_back(repetition_from(one));
  for (const Json& one : at(json, "summary")) measurement.summary.push_back(estimate_from(one));
  return measurement;
}

Description description_from(const Json& json) {
  Description description{.backend = get<std::string>(json, "backend"),
                          .device = get<std::string>(json, "device"),
                          .uuid = get<std::string>(json, "uuid"),
                          .pci = get<std::string>(json, "pci"),
                          .simulated = get<bool>(json, "simulated"),
                          .machine_code_sha256 = get<std::string>(json, "machine_code_sha256")};
  for (const auto& [name, value] : at(json, "capacities").items()) {
    if (!value.is_number_integer())
      throw std::invalid_argument("capacity '" + name + "' has the wrong type");
    description.capacities.set(name, value.get<std::int64_t>());
  }
  for (const Json& level : at(json, "levels")) description.levels.push_back(level_from(level));
  description.properties = facts_from(json, "properties");
  description.explanations = facts_from(json, "explanations");
  description.state = facts_from(json, "state");
  description.missing = get<std::vector<std::string>>(json, "missing");
  return description;
}

}  // namespace core
