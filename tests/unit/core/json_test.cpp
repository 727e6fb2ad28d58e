#include "core/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace {

const double kNan = std::nan("");
const double kInfinity = std::numeric_limits<double>::infinity();

core::Samples full_samples() {
  return {.metrics = {{"latency", "ns", 1.0843}, {"latency", "cycles", 4}},
          .columns = {{"window", "ns", {1, 2.5, 3}}, {"empty", "count", {}}},
          .tables = {{.name = "sm x line",
                      .unit = "cycles",
                      .columns = {"a", "b"},
                      .rows = {{1, 2}, {3.5, 4}}}},
          .time_ns = 1.0843,
          .clock = {.cycles = 1e9, .ns = 5e8, .method = "clock64 over globaltimer"},
          .facts = {{"nodes", "count", 64}},
          .checks = {{"final index", core::Verdict::pass, "node 3"},
                     {"poison overwritten", core::Verdict::not_applicable, ""},
                     {"a", core::Verdict::fail, "b"},
                     {"c", core::Verdict::not_available, "d"}},
          .health = {{"throttled", "ns", 12}},
          .counters = {{"dram read", "bytes", 1e12}}};
}

core::Measurement full_measurement() {
  return {.point = {"latency/global",
                    {{"operator", "", std::string("ca")},
                     {"footprint", "bytes", std::int64_t{1} << 40}}},
          .answers = "level_latency",
          .method = "chase",
          .status = core::Status::unstable,
          .reason = "the clock moved",
          .repetitions = {{.number = 2,
                           .started_utc = "2026-11-30T20:15:00.123Z",
                           .samples = full_samples()}},
          .summary = {{.name = "latency",
                       .unit = "ns",
                       .value = 1,
                       .low = 0.5,
                       .high = 2,
                       .confidence = 0.9375,
                       .n = 5,
                       .spread = 0.1}}};
}

core::Description full_description() {
  return {.backend = "cuda",
          .device = "NVIDIA H200",
          .uuid = "GPU-1",
          .pci = "0000:0a:00.0",
          .simulated = true,
          .machine_code_sha256 = "ab",
          .capacities = {{"l2", std::int64_t{50} << 20}, {"sm_count", 132}},
          .levels = {{.name = "L2",
                      .scope = "GPU",
                      .family = core::Family::cache,
                      .stated_capacity_bytes = 50 << 20,
                      .stated_by = "somebody",
                      .reached_by = "cg",
                      .ceiling_bytes_per_s = 5.5e12,
                      .ceiling_bytes_per_cycle_per_sm = 64,
                      .ceiling_operations_per_cycle_per_sm = 128,
                      .ceiling_source = "pins"},
                     {.name = "a", .scope = "", .family = core::Family::operand},
                     {.name = "b", .scope = "", .family = core::Family::scratchpad},
                     {.name = "c", .scope = "", .family = core::Family::memory}},
          .properties = {{"flag", true},
                         {"count", std::int64_t{7}},
                         {"ratio", 0.5},
                         {"name", std::string("x")},
                         {"list", std::vector<std::string>{"p", "q"}}},
          .explanations = {{"driver", std::string("580")}},
          .state = {{"clock_hertz", 1.98e9}},
          .missing = {"vbios: no NVML"}};
}

// Text in between: what is compared went through a file.
core::Json through_text(const core::Json& json) { return core::Json::parse(json.dump()); }

TEST(Json, of_a_point_comes_back_the_same) {
  const core::Point point = full_measurement().point;
  EXPECT_EQ(core::point_from(through_text(core::to_json(point))), point);
  EXPECT_EQ(core::to_json(point)["id"], point.id());
}

TEST(Json, of_samples_comes_back_the_same) {
  EXPECT_EQ(core::samples_from(through_text(core::to_json(full_samples()))), full_samples());
}

TEST(Json, of_a_repetition_comes_back_the_same) {
  const core::Repetition repetition = full_measurement().repetitions[0];
  const core::Repetition back = core::repetition_from(through_text(core::to_json(repetition)));
  EXPECT_EQ(back.number, 2);
  EXPECT_EQ(back.started_utc, repetition.started_utc);
  EXPECT_EQ(back.samples, repetition.samples);
}

TEST(Json, of_a_measurement_comes_back_the_same) {
  const core::Measurement measurement = full_measurement();
  const core::Measurement back = core::measurement_from(through_text(core::to_json(measurement)));
  EXPECT_EQ(back.point, measurement.point);
  EXPECT_EQ(back.answers, measurement.answers);
  EXPECT_EQ(back.method, measurement.method);
  EXPECT_EQ(back.status, measurement.status);
  EXPECT_EQ(back.reason, measurement.reason);
  EXPECT_EQ(back.summary, measurement.summary);
  ASSERT_EQ(back.repetitions.size(), 1u);
  EXPECT_EQ(back.repetitions[0].samples, measurement.repetitions[0].samples);
}

TEST(Json, of_a_description_comes_back_the_same) {
  const core::Description description = full_description();
  const core::Json json = core::to_json(description);
  const core::Description back = core::description_from(through_text(json));
  EXPECT_EQ(core::to_json(back).dump(), json.dump());
  EXPECT_EQ(back.levels, description.levels);
  EXPECT_EQ(back.properties, description.properties);
  EXPECT_EQ(back.explanations, description.explanations);
  EXPECT_EQ(back.state, description.state);
  EXPECT_EQ(back.missing, description.missing);
  EXPECT_EQ(back.capacities.all(), description.capacities.all());
  EXPECT_EQ(back.uuid, description.uuid);
  EXPECT_EQ(back.pci, description.pci);
  EXPECT_TRUE(back.simulated);
}

TEST(Json, of_every_status_and_verdict_comes_back_the_same) {
  for (const core::Status status : {core::Status::ok, core::Status::unstable, core::Status::invalid,
                                    core::Status::skipped, core::Status::failed}) {
    core::Measurement measurement = full_measurement();
    measurement.status = status;
    EXPECT_EQ(core::measurement_from(core::to_json(measurement)).status, status);
    EXPECT_EQ(core::status_from(core::to_string(status)), status);
  }
  EXPECT_EQ(core::status_from("fine"), std::nullopt);
  EXPECT_EQ(core::verdict_from("maybe"), std::nullopt);
}

TEST(Json, of_what_is_no_number_is_null_and_comes_back_as_no_number) {
  core::Samples samples = full_samples();
  samples.metrics[0].value = kNan;
  samples.columns[0].values = {1, kInfinity, -kInfinity};
  samples.tables[0].rows[0][0] = kNan;
  samples.time_ns = kNan;
  samples.clock.ns = kInfinity;
  const core::Json json = core::to_json(samples);
  EXPECT_TRUE(json["metrics"][0]["value"].is_null());
  EXPECT_TRUE(json["columns"][0]["values"][2].is_null());
  EXPECT_TRUE(json["time_ns"].is_null());
  EXPECT_EQ(json.dump().find("nan"), std::string::npos);
  const core::Samples back = core::samples_from(through_text(json));
  EXPECT_TRUE(std::isnan(back.metrics[0].value));
  EXPECT_EQ(back.columns[0].values[0], 1);
  EXPECT_TRUE(std::isnan(back.columns[0].values[1]));
  EXPECT_TRUE(std::isnan(back.tables[0].rows[0][0]));
  EXPECT_TRUE(std::isnan(back.clock.ns));

  core::Measurement measurement = full_measurement();
  measurement.summary[0].low = kNan;
  EXPECT_TRUE(core::to_json(measurement)["summary"][0]["low"].is_null());
  EXPECT_TRUE(std::isnan(core::measurement_from(core::to_json(measurement)).summary[0].low));

  core::Description description = full_description();
  description.state = {{"clock_hertz", kNan}};
  description.levels[0].ceiling_bytes_per_s = kInfinity;
  const core::Json described = core::to_json(description);
  EXPECT_TRUE(described["state"]["clock_hertz"].is_null());
  EXPECT_TRUE(described["levels"][0]["ceiling_bytes_per_s"].is_null());
  EXPECT_TRUE(std::isnan(
      std::get<double>(core::find(core::description_from(described).state, "clock_hertz")->value)));
}

TEST(Json, keeps_every_digit_of_a_double_and_writes_whole_numbers_short) {
  core::Samples samples = full_samples();
  samples.columns[0].values = {0.1, 1.0 / 3, 1e300, -0.0, 9007199254740993.0, 5};
  const core::Json json = core::to_json(samples);
  EXPECT_EQ(json["columns"][0]["values"][5].dump(), "5");
  EXPECT_EQ(core::samples_from(through_text(json)).columns[0].values, samples.columns[0].values);
}

TEST(Json, leaves_empty_tables_health_and_counters_out_and_reads_without_them) {
  core::Samples samples = full_samples();
  samples.tables.clear();
  samples.health.clear();
  samples.counters.clear();
  const core::Json json = core::to_json(samples);
  for (const char* key : {"tables", "health", "counters"}) EXPECT_FALSE(json.contains(key)) << key;
  EXPECT_EQ(core::samples_from(json), samples);
}

TEST(Json, with_keys_of_a_later_version_is_read) {
  core::Json json = core::to_json(full_measurement());
  json["new_key"] = {{"anything", 1}};
  json["repetitions"][0]["new_key"] = 2;
  EXPECT_NO_THROW(core::measurement_from(json));
}

std::string refusal(core::Json json) {
  try {
    core::measurement_from(json);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "read";
}

TEST(Json, without_a_key_is_refused_naming_it) {
  for (const char* key :
       {"probe", "axes", "answers", "method", "status", "reason", "summary", "repetitions"}) {
    core::Json json = core::to_json(full_measurement());
    json.erase(key);
    EXPECT_NE(refusal(json).find("'" + std::string(key) + "'"), std::string::npos) << key;
  }
  for (const char* key : {"metrics", "columns", "time_ns", "clock", "facts", "checks", "number"}) {
    core::Json json = core::to_json(full_measurement());
    json["repetitions"][0].erase(key);
    EXPECT_NE(refusal(json).find("'" + std::string(key) + "'"), std::string::npos) << key;
  }
}

TEST(Json, whose_axes_are_not_those_of_its_id_is_refused) {
  core::Json json = core::to_json(full_measurement());
  json["axes"][1]["value"] = 7;
  EXPECT_NE(refusal(json).find("'id'"), std::string::npos);
  json = core::to_json(full_measurement());
  json["axes"][1]["value"] = "1099511627776";  // the id is the same
  EXPECT_NE(refusal(json).find("'footprint'"), std::string::npos);
}

TEST(Json, of_the_wrong_type_is_refused_naming_the_key) {
  core::Json json = core::to_json(full_measurement());
  json["reason"] = 7;
  EXPECT_NE(refusal(json).find("'reason'"), std::string::npos);
  json = core::to_json(full_measurement());
  json["status"] = "fine";
  EXPECT_NE(refusal(json).find("'status'"), std::string::npos);
  json = core::to_json(full_measurement());
  json["repetitions"][0]["time_ns"] = "soon";
  EXPECT_NE(refusal(json).find("'time_ns'"), std::string::npos);
  json = core::to_json(full_measurement());
  json["axes"][1]["value"] = 1.5;
  EXPECT_NE(refusal(json).find("'value'"), std::string::npos);
  EXPECT_NE(refusal(core::Json::array()), "read");
}

}  // namespace
