// What change points promise, over many random hierarchies: found within one sweep step, none
// invented.

#include <gtest/gtest.h>

#include <algorithm>

#include "curves.hpp"
#include "stats/change_points.hpp"

namespace {

struct Tally {
  int missed = 0;    // curves with a boundary that is not found within one step
  int invented = 0;  // curves with more change points than steps
};

// 2 to 6 levels, 4 to 9 values each, neighbours apart by a factor of 1.5 to 4.
std::vector<curves::Level> random_levels(core::Random& random) {
  std::vector<curves::Level> levels;
  const std::size_t count = 2 + random.below(5);
  double value = 30;
  for (std::size_t i = 0; i < count; ++i) {
    levels.push_back({4 + random.below(6), value});
    value *= 1.5 + 2.5 * random.uniform();
  }
  return levels;
}

void compare(const std::vector<curves::Level>& levels, const std::vector<double>& values,
             Tally& tally) {
  const auto found = stats::change_points(values);
  const auto truth = curves::boundaries(levels);
  const bool all = std::ranges::all_of(truth, [&](std::size_t boundary) {
    return std::ranges::any_of(found, [&](const stats::ChangePoint& point) {
      return point.index + 1 >= boundary && point.index <= boundary + 1;
    });
  });
  if (!all) ++tally.missed;
  if (found.size() > truth.size()) ++tally.invented;
}

class OverSeeds : public testing::TestWithParam<double> {};

TEST_P(OverSeeds, two_to_six_levels_are_found_within_one_step_and_none_is_invented) {
  constexpr int kSeeds = 1000;
  Tally tally;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    core::Random random(core::mix_seed(seed, "levels"));
    const auto levels = random_levels(random);
    compare(levels, curves::with_noise(curves::staircase(levels), GetParam(), seed), tally);
  }
  RecordProperty("missed", tally.missed);
  RecordProperty("invented", tally.invented);
  EXPECT_LE(tally.missed, kSeeds / 100);
  EXPECT_LE(tally.invented, kSeeds / 1000);
}

TEST_P(OverSeeds, a_flat_curve_has_no_level_invented) {
  int invented = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    if (!stats::change_points(
             curves::with_noise(std::vector<double>(20 + seed % 30, 100.0), GetParam(), seed))
             .empty())
      ++invented;
  EXPECT_LE(invented, 1);
}

TEST_P(OverSeeds, a_gradual_transition_makes_no_ladder) {
  int ladders = 0, missed = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    std::vector<double> values(8, 100.0);
    const int width = 2 + static_cast<int>(seed % 8);
    for (int i = 1; i < width; ++i) values.push_back(100 * std::pow(3.0, i / double(width)));
    values.insert(values.end(), 8, 300.0);
    const auto found = stats::change_points(curves::with_noise(values, GetParam(), seed));
    if (found.size() > 1) ++ladders;
    if (found.empty()) ++missed;
  }
  RecordProperty("ladders", ladders);
  RecordProperty("missed", missed);
  // At 5 % the rise from value to value is of the size of the noise: some ramps look like a level.
  EXPECT_LE(ladders, GetParam() < 0.05 ? 10 : 20);
  EXPECT_LE(missed, 10);
}

// A cache close by answers in the same time always, memory does not.
Tally quiet_cache_before_noisy_memory(const stats::ChangePointOptions& options) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    core::Random random(seed);
    std::vector<double> values(24, 30.0);
    for (int i = 0; i < 16; ++i) values.push_back(700 * std::exp(0.15 * random.normal()));
    const auto found = stats::change_points(values, options);
    if (found.empty()) ++tally.missed;
    if (found.size() > 1) ++tally.invented;
  }
  return tally;
}

TEST(ChangePoints, of_a_quiet_cache_before_noisy_memory_are_one) {
  const Tally tally = quiet_cache_before_noisy_memory({});
  EXPECT_EQ(tally.missed, 0);
  EXPECT_LE(tally.invented, 20);
}

TEST(ChangePoints, that_chance_could_have_made_are_dropped_by_the_test) {
  EXPECT_LT(quiet_cache_before_noisy_memory({}).invented,
            quiet_cache_before_noisy_memory({.confidence = 0}).invented);
}

INSTANTIATE_TEST_SUITE_P(ChangePoints, OverSeeds, testing::Values(0.0, 0.01, 0.03, 0.05),
                         [](const auto& noise) {
                           return "noise_of_" + std::to_string(int(noise.param * 100)) + "_percent";
                         });

}  // namespace
