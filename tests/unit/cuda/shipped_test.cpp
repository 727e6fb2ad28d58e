// The configurations that ship, planned with the GPU's probes as they declare themselves: a probe that is
// added needs nothing here.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "config/known_devices.hpp"
#include "config/plan.hpp"
#include "cuda/context.hpp"

namespace {

const std::filesystem::path kConfigs = std::filesystem::path(MICRO_SOURCE_DIR) / "configs";

const std::vector<core::ProbeSpec>& specs() {
  static const std::vector<core::ProbeSpec> all = [] {
    std::vector<core::ProbeSpec> declared;
    for (const auto& probe : cuda::Registry::instance().probes()) declared.push_back(probe.spec);
    return declared;
  }();
  return all;
}

config::Plan plan_of(const std::string& name, const std::string& device) {
  return config::plan(config::read(kConfigs / name), specs(),
                      {.capacities = config::known_device(device)->capacities});
}

std::set<std::string> probes(const config::Plan& plan) {
  std::set<std::string> names;
  for (const auto& planned : plan.points) names.insert(planned.point.probe);
  return names;
}

std::vector<std::int64_t> footprints(const config::Plan& plan, const std::string& probe,
                                     const std::string& cache_operator) {
  std::vector<std::int64_t> all;
  for (const auto& planned : plan.points)
    if (planned.point.probe == probe && planned.point.word("operator") == cache_operator)
      all.push_back(planned.point.number("footprint"));
  return all;
}

}  // namespace

TEST(ShippedConfigurations, of_a_gpu_plan_without_a_skip_on_every_known_device) {
  for (const config::KnownDevice& known : config::known_devices())
    for (const std::string name :
         {"gpu", "gpu_quick", "h100", "h100_quick", "h200", "h200_quick", "sanitize"}) {
      const auto plan = plan_of(name + ".yaml", known.key);
      for (const auto& planned : plan.points)
        EXPECT_EQ(planned.skip_reason, "") << name << " " << planned.point.id();
      EXPECT_TRUE(plan.notes.empty()) << name;
      if (name.find("quick") == name.npos) {
        EXPECT_EQ(probes(plan).size(), specs().size()) << name;
      }
    }
}

TEST(ShippedConfigurations, of_a_full_map_bracket_every_capacity_with_footprints) {
  for (const config::KnownDevice& known : config::known_devices()) {
    const auto plan = plan_of(known.key + ".yaml", known.key);
    const auto brackets = [&](const std::string& probe, const std::string& cache_operator,
                              const std::string& capacity) {
      const auto all = footprints(plan, probe, cache_operator);
      const std::int64_t bytes = known.capacities.get(capacity);
      const auto below = std::ranges::count_if(all, [&](auto f) { return f <= bytes * 3 / 4; });
      const auto above = std::ranges::count_if(all, [&](auto f) { return f > bytes; });
      EXPECT_GE(below, 4) << probe << " " << capacity;
      EXPECT_GE(above, 2) << probe << " " << capacity;
    };
    brackets("latency/global", "ca", "l1");
    brackets("latency/global", "cg", "l2");
    brackets("bandwidth/global", "cg", "l2");
  }
}

TEST(ShippedConfigurations, reach_memory_by_at_least_four_times_the_l2) {
  for (const std::string name : {"gpu", "gpu_quick", "h100", "h200"}) {
    const auto plan = plan_of(name + ".yaml", "h200");
    const std::int64_t l2 = config::known_device("h200")->capacities.get("l2");
    EXPECT_GE(std::ranges::max(footprints(plan, "latency/global", "cg")), 4 * l2) << name;
    EXPECT_GE(std::ranges::max(footprints(plan, "bandwidth/global", "cg")), 4 * l2) << name;
  }
}

// A repetition of a chase walks every line up to 4 x L2 twice at some 700 cycles of 1.9 GHz at most.
TEST(ShippedConfigurations, keep_the_chases_of_a_full_map_under_twenty_seconds) {
  const auto seconds = [](const std::string& name) {
    const std::int64_t l2 = config::known_device("h200")->capacities.get("l2");
    double sum = 0;
    for (const auto& planned : plan_of(name, "h200").points) {
      if (planned.point.probe != "latency/global") continue;
      const auto bytes = planned.point.number("footprint");
      const double hops = bytes > 4 * l2 ? 1 << 20 : static_cast<double>(bytes) / 128 * 2;
      sum += hops * (bytes > l2 / 2 ? 370e-9 : 150e-9) * planned.repetitions;
    }
    return sum;
  };
  EXPECT_LT(seconds("h200.yaml"), 20);
  EXPECT_LT(seconds("h200_quick.yaml"), 2.5);
}

TEST(ShippedConfigurations, for_the_sanitizer_have_every_word_of_every_axis_once_and_small) {
  const auto plan = plan_of("sanitize.yaml", "h200");
  for (const core::ProbeSpec& spec : specs())
    for (const core::Axis& axis : spec.axes)
      for (const std::string& word : axis.words)
        EXPECT_TRUE(std::ranges::any_of(plan.points,
                                        [&](const auto& planned) {
                                          return planned.point.probe == spec.name &&
                                                 planned.point.word(axis.name) == word;
                                        }))
            << spec.name << " " << axis.name << " " << word;
  for (const auto& planned : plan.points) {
    EXPECT_EQ(planned.repetitions, 1);
    EXPECT_LE(planned.cost.memory_bytes, 512 << 20) << planned.point.id();
  }
}
