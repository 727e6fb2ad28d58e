// The whole analysis on a hierarchy whose answers are known.

#include <gtest/gtest.h>

#include "synthetic.hpp"

namespace {

using namespace synthetic;

struct Random {
  explicit Random(std::uint64_t seed) : source(core::mix_seed(seed, "hierarchy")) {}
  double between(double low, double high) { return low + (high - low) * source.uniform(); }
  core::Random source;
};

// 2 to 6 levels that the model's sweep of two points an octave (1 KiB to 384 MiB) can see.
model::Hierarchy random_hierarchy(std::uint64_t seed, double noise) {
  Random random(seed);
  model::Hierarchy hierarchy{.levels = {}, .noise = noise};
  const int count = 2 + static_cast<int>(seed % 5);
  double capacity = random.between(4, 12) * static_cast<double>(kKiB), cycles = 30, width = 64;
  for (int i = 0; i < count; ++i) {
    const bool is_memory = i == count - 1;
    hierarchy.levels.push_back(
        {.name = is_memory ? "memory" : "L" + std::to_string(i + 1),
         .capacity_bytes = is_memory ? 0 : static_cast<std::int64_t>(capacity) / 128 * 128,
         .latency_cycles = cycles,
         .bytes_per_cycle_per_sm = width});
    capacity *= random.between(4, 8);
    cycles *= random.between(1.6, 3.5);
    width /= random.between(1.6, 2.5);
  }
  return hierarchy;
}

int sweep_steps_apart(std::int64_t a, std::int64_t b) {
  const auto all = sweep(kKiB, 512 * kMiB);
  const auto place = [&](std::int64_t bytes) {
    return std::ranges::upper_bound(all, bytes) - all.begin();
  };
  return static_cast<int>(std::abs(place(a) - place(b)));
}

class ModelMap : public testing::TestWithParam<double> {};

TEST_P(ModelMap, finds_every_boundary_within_one_sweep_step_and_invents_none) {
  int missed = 0, invented = 0, wrong_latency = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const model::Hierarchy hierarchy = random_hierarchy(seed, GetParam());
    const auto backend = model::make_backend(hierarchy);
    const map::MemoryMap map = map_of(run_model(*backend, seed), backend->describe());
    bool all_found = true;
    for (std::size_t i = 0; i < map.levels.size(); ++i) {
      const map::MapLevel& one = map.levels[i];
      const std::int64_t truth = hierarchy.levels[i].capacity_bytes;
      if (truth > 0 &&
          (one.capacity.found_bytes == 0 || sweep_steps_apart(one.capacity.found_bytes, truth) > 1))
        all_found = false;
      const double cycles = hierarchy.levels[i].latency_cycles;
      if (one.latency.empty() ||
          std::abs(one.latency[0].estimate.value / cycles - 1) > 0.005 + 1.5 * GetParam())
        ++wrong_latency;
    }
    if (!all_found) ++missed;
    if (!map.unexplained.empty()) ++invented;
  }
  EXPECT_LE(missed, 1);
  EXPECT_EQ(invented, 0);
  EXPECT_EQ(wrong_latency, 0);
}

INSTANTIATE_TEST_SUITE_P(Noise, ModelMap, testing::Values(0.0, 0.01, 0.05), [](const auto& noise) {
  return "of_" + std::to_string(int(noise.param * 100)) + "_percent";
});

TEST(ModelMap, of_the_default_hierarchy_is_ok_within_its_ceilings) {
  const auto backend = model::make_backend();
  const map::MemoryMap map = map_of(run_model(*backend, 1), backend->describe());
  for (const map::MapLevel& one : map.levels) {
    EXPECT_EQ(one.status, "ok") << one.name;
    for (const map::Entry& entry : one.bandwidth) EXPECT_LT(entry.estimate.value, entry.ceiling);
  }
}

}  // namespace
