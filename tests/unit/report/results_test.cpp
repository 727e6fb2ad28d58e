#include "report/results.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "random_results.hpp"
#include "same.hpp"

using report_test::random_results;
using report_test::same;

namespace {

std::string refusal(const core::Json& json) {
  try {
    report::results_from(json);
  } catch (const core::Error& error) {
    EXPECT_EQ(error.exit_code(), 64);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST(Results, of_any_content_come_back_unchanged) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const report::Results results = random_results(seed);
    const std::string text = report::to_json(results).dump();
    ASSERT_TRUE(same(report::results_from(core::Json::parse(text)), results)) << "seed " << seed;
  }
}

TEST(Results, never_hold_a_bare_not_a_number) {
  report::Results results = random_results(3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  core::Measurement measurement{.point = {.probe = "latency/global", .settings = {}}};
  measurement.summary = {{"latency", "ns", nan, -infinite, infinite, nan, 1, nan}};
  measurement.repetitions = {{0, "", {.metrics = {{"latency", "ns", nan}}, .time_ns = nan}}};
  results.measurements = {measurement};
  results.map.levels = {{.name = "L1", .scope = "SM"}};
  results.map.levels[0].latency = {
      {.estimate = measurement.summary[0], .method = "", .points = {}}};
  results.map.levels[0].latency[0].published = map::Published{nan, nan, "ns", "", ""};
  results.context.host = {{"load", nan}};
  const std::string text = report::to_json(results).dump();
  EXPECT_EQ(text.find("nan"), text.npos);
  EXPECT_EQ(text.find("inf"), text.npos);
  const report::Results back = report::results_from(core::Json::parse(text));
  EXPECT_TRUE(std::isnan(back.measurements[0].summary[0].value));
  EXPECT_TRUE(std::isnan(back.map.levels[0].latency[0].estimate.value));
}

TEST(Results, of_a_newer_schema_are_refused_by_number) {
  core::Json json = report::to_json(random_results(1));
  json["schema_version"] = report::kSchemaVersion + 1;
  EXPECT_EQ(refusal(json), "schema_version is 2; this program reads up to 1: use a newer program");
  json["schema_version"] = 0;
  EXPECT_EQ(refusal(json), "schema_version is 0; there is none below 1");
}

TEST(Results, with_unknown_keys_are_read) {
  core::Json json = report::to_json(random_results(7));
  json["later"] = 1;
  json["context"]["later"] = {{"a", 1}};
  json["map"]["later"] = nullptr;
  EXPECT_TRUE(same(report::results_from(json), random_results(7)));
}

TEST(Results, that_miss_any_key_are_refused_with_the_way_to_it) {
  const core::Json whole = report::to_json(random_results(1));
  for (const char* key : {"complete", "incomplete_reason", "context", "measurements", "map"}) {
    core::Json json = whole;
    json.erase(key);
    EXPECT_EQ(refusal(json).find("accepted"), std::string::npos) << key;
    EXPECT_NE(refusal(json).find(std::string("'") + key + "'"), std::string::npos) << refusal(json);
  }
  core::Json json = whole;
  json["context"]["device"].erase("uuid");
  EXPECT_EQ(refusal(json), "context: device: key 'uuid' is missing");
  json = whole;
  json["context"]["config"].erase("text");
  EXPECT_EQ(refusal(json), "context: config: key 'text' is missing");
}

TEST(Results, with_a_value_of_another_type_are_refused_with_the_way_to_it) {
  core::Json json = report::to_json(random_results(1));
  json["measurements"] = {{{"id", "x"}}};
  EXPECT_EQ(refusal(json), "measurements[0]: key 'status' is missing");
  json["measurements"] = core::Json::array();
  json["map"]["levels"] = 3;
  EXPECT_EQ(refusal(json), "map: key 'levels' is no list");
  json["map"]["levels"] = {{{"name", 4}}};
  EXPECT_EQ(refusal(json), "map: levels[0]: key 'name' is no text");
  EXPECT_EQ(refusal(core::Json::array()),
            "key 'schema_version' is missing: this is no result file");
}
