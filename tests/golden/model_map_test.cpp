// A plan, a model, an analysis: the map of it byte for byte. UPDATE_GOLDEN=1 in the environment
// rewrites the file; read the difference before it is committed.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/answers.hpp"
#include "map/memory_map.hpp"
#include "model/backend.hpp"
#include "report/map_json.hpp"
#include "stats/summary.hpp"

namespace {

constexpr std::int64_t kLargest = std::int64_t{256} << 20;
constexpr int kRepetitions = 5;

// Two points an octave; the model's L1 ends within the first third, its L3 well before the end.
std::vector<core::Point> plan() {
  std::vector<core::Point> points;
  for (std::int64_t bytes = 1024; bytes <= kLargest; bytes *= 2) {
    for (const std::int64_t footprint : {bytes, bytes / 2 * 3}) {
      points.push_back(
          {.probe = "latency/global", .settings = {{"footprint", "bytes", footprint}}});
      for (const std::string operation : {"read", "write", "copy", "triad"})
        points.push_back(
            {.probe = "bandwidth/global",
             .settings = {{"operation", "", operation}, {"footprint", "bytes", footprint}}});
    }
  }
  return points;
}

std::vector<core::Measurement> measure(core::Backend& backend, std::uint64_t seed) {
  const auto specs = backend.probes();
  std::vector<core::Measurement> measurements;
  for (const core::Point& point : plan()) {
    const auto spec = std::ranges::find(specs, point.probe, &core::ProbeSpec::name);
    core::Measurement measured{.point = point, .answers = spec->answers, .method = spec->method};
    for (int i = 0; i < kRepetitions; ++i)
      measured.repetitions.push_back(
          {.number = i,
           .started_utc = {},
           .samples = backend.measure(point, {.seed = seed, .repetition = i})});
    measured.summary = stats::summarize(measured.repetitions);
    measurements.push_back(std::move(measured));
  }
  return measurements;
}

std::string map_text(const model::Hierarchy& hierarchy) {
  const auto backend = model::make_backend(hierarchy);
  const core::Description description = backend->describe();
  const auto judged = map::judge(measure(*backend, 1), description);
  return report::to_json(map::draw(judged, description)).dump(2) + "\n";
}

std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream content;
  content << stream.rdbuf();
  return content.str();
}

void expect_golden(const std::string& text, const std::string& name) {
  const std::string file = std::string(MICRO_SOURCE_DIR) + "/tests/golden/" + name;
  const char* update = std::getenv("UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1")
    std::ofstream(file, std::ios::binary) << text;
  const std::string golden = content_of(file);
  ASSERT_FALSE(golden.empty()) << file << " is missing: write it with UPDATE_GOLDEN=1";
  std::istringstream expected(golden), actual(text);
  std::string expected_line, actual_line;
  for (int line = 1; std::getline(expected, expected_line); ++line) {
    ASSERT_TRUE(std::getline(actual, actual_line)) << "ends before line " << line << " of " << file;
    ASSERT_EQ(actual_line, expected_line) << "line " << line << " of " << file;
  }
  EXPECT_EQ(text, golden);
}

TEST(GoldenMap, of_the_default_model_is_the_same_byte_for_byte) {
  expect_golden(map_text(model::default_hierarchy()), "model_map.json");
}

TEST(GoldenMap, of_a_noisy_model_with_gradual_steps_is_the_same_byte_for_byte) {
  model::Hierarchy hierarchy = model::default_hierarchy();
  hierarchy.noise = 0.03;
  hierarchy.transition = 1.5;
  expect_golden(map_text(hierarchy), "gradual_model_map.json");
}

}  // namespace
