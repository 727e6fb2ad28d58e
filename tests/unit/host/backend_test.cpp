#include "host/backend.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/error.hpp"
#include "core/json.hpp"

namespace {

TEST(Backend, has_a_probe_for_every_host_file) {
  std::set<std::string> files;
  const std::filesystem::path micro = std::filesystem::path(MICRO_SOURCE_DIR) / "micro";
  for (const char* kind : {"latency", "bandwidth", "pattern", "reuse", "hiding", "overhead"}) {
    if (!std::filesystem::exists(micro / kind)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(micro / kind)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(".host.cpp"))
        files.insert(std::string(kind) + "/" + name.substr(0, name.size() - 9));
    }
  }
  std::set<std::string> probes;
  for (const core::ProbeSpec& spec : host::make_backend()->probes()) probes.insert(spec.name);
  EXPECT_EQ(probes, files);
  EXPECT_TRUE(files.contains("latency/global"));
  EXPECT_TRUE(files.contains("bandwidth/global"));
}

TEST(Backend, is_available_everywhere) { EXPECT_EQ(host::make_backend()->unavailable(), ""); }

TEST(Backend, describes_levels_nearest_first_and_memory_last) {
  const core::Description description = host::make_backend()->describe();
  EXPECT_EQ(description.backend, "host");
  EXPECT_FALSE(description.simulated);
  EXPECT_FALSE(description.device.empty());
  EXPECT_EQ(description.machine_code_sha256.size(), 64u);
  ASSERT_GE(description.levels.size(), 1u);
  EXPECT_EQ(description.levels.back().name, "DRAM");
  EXPECT_EQ(description.levels.back().family, core::Family::memory);
  for (std::size_t i = 1; i < description.levels.size(); ++i)
    EXPECT_GT(description.levels[i].stated_capacity_bytes,
              description.levels[i - 1].stated_capacity_bytes);
  for (const core::Level& level : description.levels) {
    EXPECT_FALSE(level.stated_by.empty());
    EXPECT_FALSE(level.ceiling_source.empty());
  }
  EXPECT_GE(description.capacities.get("sm_count"), 1);
  EXPECT_GT(description.capacities.get("free_memory"), 0);
  EXPECT_GE(description.capacities.get("memory"), description.capacities.get("free_memory"));
  if (description.levels.size() > 1) {
    EXPECT_EQ(description.capacities.get("l1"), description.levels[0].stated_capacity_bytes);
  }
  EXPECT_NE(core::find(description.state, "core_clock_hertz"), nullptr);
}

TEST(Backend, prepared_says_what_it_saw_and_measures) {
  const auto backend = host::make_backend();
  const core::Point point{"latency/global", {{"footprint", "bytes", std::int64_t{1 << 20}}}};
  EXPECT_THROW(backend->measure(point, {}), core::SkipError);
  const std::string seen = backend->prepare(1 << 20);
  EXPECT_NE(seen.find("core clock"), std::string::npos);
  EXPECT_NE(seen.find("MHz"), std::string::npos);
  const core::Samples samples = backend->measure(point, {.seed = 1});
  EXPECT_NE(core::find(samples.health, "involuntary_context_switches", "count"), nullptr);
  EXPECT_EQ(core::samples_from(core::to_json(samples)), samples);
  EXPECT_NE(core::find(backend->describe().explanations, "page_policy"), nullptr);
}

TEST(Backend, grows_its_arena_when_prepared_for_more) {
  const auto backend = host::make_backend();
  backend->prepare(4096);
  const core::Point point{"latency/global", {{"footprint", "bytes", std::int64_t{32 << 20}}}};
  EXPECT_THROW(backend->measure(point, {}), core::SkipError);
  backend->prepare(32 << 20);
  EXPECT_NO_THROW(backend->measure(point, {}));
}

TEST(Backend, fails_a_point_of_a_probe_that_it_lacks) {
  EXPECT_THROW(host::make_backend()->measure({"latency/nothing", {}}, {}), core::MeasureError);
}

}  // namespace
