#include "report/results.hpp"

#include "core/error.hpp"
#include "report/fields.hpp"
#include "report/google_benchmark.hpp"
#include "report/map_json.hpp"

namespace report {
namespace {

using core::Json;

Json context_json(const Context& context) {
  Json json = google_benchmark_context(context);
  json["run_id"] = context.run_id;
  json["started_utc"] = context.started_utc;
  json["finished_utc"] = context.finished_utc;
  json["device"] = core::to_json(context.before);
  json["state_after"] = core::to_json(context.state_after);
  json["warm_up"] = context.warm_up;
  json["host"] = core::to_json(context.host);
  json["program"] = core::to_json(context.program);
  json["config"] = {{"name", context.config_name},
                    {"sha256", context.config_sha256},
                    {"meant_for", context.meant_for},
                    {"text", context.config_text}};
  json["seed"] = context.seed;
  json["repetitions"] = context.repetitions;
  json["notes"] = context.notes;
  return json;
}

// core reads facts only as part of a description; an object that has nothing else reads them.
core::Facts facts(const Json& json, const char* key) {
  return inside(key, [&] {
    const Json& value = field(json, key);
    if (!value.is_object()) throw std::invalid_argument("is no object");
    const Json carrier{{"backend", ""},
                       {"device", ""},
                       {"uuid", ""},
                       {"pci", ""},
                       {"simulated", false},
                       {"machine_code_sha256", ""},
                       {"capacities", Json::object()},
                       {"levels", Json::array()},
                       {"properties", value},
                       {"missing", Json::array()}};
    return core::description_from(carrier).properties;
  });
}

std::uint64_t seed_from(const Json& json) {
  const Json& value = field(json, "seed");
  if (!value.is_number_unsigned() && !(value.is_number_integer() && value >= 0))
    throw std::invalid_argument("key 'seed' is no whole number of 0 or more");
  return value.get<std::uint64_t>();
}

Context context_from(const Json& json) {
  const Json& config = field(json, "config");
  return {.run_id = text(json, "run_id"),
          .started_utc = text(json, "started_utc"),
          .finished_utc = text(json, "finished_utc"),
          .before = inside("device", [&] { return core::description_from(field(json, "device")); }),
          .state_after = facts(json, "state_after"),
          .warm_up = text(json, "warm_up"),
          .host = facts(json, "host"),
          .program = facts(json, "program"),
          .config_name = inside("config", [&] { return text(config, "name"); }),
          .config_text = inside("config", [&] { return text(config, "text"); }),
          .config_sha256 = inside("config", [&] { return text(config, "sha256"); }),
          .meant_for = inside("config", [&] { return text(config, "meant_for"); }),
          .seed = seed_from(json),
          .repetitions = static_cast<int>(whole(json, "repetitions")),
          .notes = texts(json, "notes")};
}

void check_version(const Json& json) {
  if (!json.is_object() || !json.contains("schema_version"))
    throw std::invalid_argument("key 'schema_version' is missing: this is no result file");
  const std::int64_t version = whole(json, "schema_version");
  if (version > kSchemaVersion)
    throw std::invalid_argument("schema_version is " + std::to_string(version) +
                                "; this program reads up to " + std::to_string(kSchemaVersion) +
                                ": use a newer program");
  if (version < 1)
    throw std::invalid_argument("schema_version is " + std::to_string(version) +
                                "; there is none below 1");
}

}  // namespace

Json to_json(const Results& results) {
  Json measurements = Json::array();
  for (const core::Measurement& measurement : results.measurements)
    measurements.push_back(core::to_json(measurement));
  return {{"schema_version", kSchemaVersion},
          {"complete", results.complete},
          {"incomplete_reason", results.incomplete_reason},
          {"context", context_json(results.context)},
          {"benchmarks", google_benchmark_rows(results.measurements)},
          {"measurements", std::move(measurements)},
          {"map", to_json(results.map)}};
}

Results results_from(const Json& json) {
  try {
    check_version(json);
    return {.complete = truth(json, "complete"),
            .incomplete_reason = text(json, "incomplete_reason"),
            .context = inside("context", [&] { return context_from(field(json, "context")); }),
            .measurements = each(json, "measurements", core::measurement_from),
            .map = inside("map", [&] { return map_from(field(json, "map")); })};
  } catch (const std::invalid_argument& error) {
    throw core::UsageError(error.what());
  }
}

}  // namespace report
