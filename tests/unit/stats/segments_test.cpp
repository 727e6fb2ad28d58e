#include "stats/segments.hpp"

#include <gtest/gtest.h>

#include "curves.hpp"

namespace {

std::vector<double> everywhere(const std::vector<double>& values, double noise) {
  return std::vector<double>(values.size(), noise);
}

TEST(Noise, is_estimated_in_spite_of_steps) {
  std::vector<double> values;
  core::Random random(3);
  for (int level = 0; level < 5; ++level)
    for (int i = 0; i < 80; ++i) values.push_back(level * 3.0 + 0.1 * random.normal());
  EXPECT_NEAR(stats::noise_of(values), 0.1, 0.015);
}

TEST(Noise, of_one_value_is_none) { EXPECT_EQ(stats::noise_of(std::vector<double>{3}), 0); }

TEST(Noise, along_a_curve_is_larger_where_the_curve_is_noisier) {
  std::vector<double> values(30, 0.0);
  core::Random random(2);
  for (int i = 0; i < 30; ++i) values.push_back(3 + 0.1 * random.normal());
  const auto noise = stats::noise_along(values);
  EXPECT_LT(noise.front(), 0.05);
  EXPECT_GT(noise.back(), 0.05);
}

TEST(Segments, of_a_staircase_are_its_levels) {
  const std::vector<double> values{0, 0, 0, 1, 1, 1, 1, 3, 3};
  EXPECT_EQ(stats::segment(values, everywhere(values, 0.05), 2),
            (std::vector<stats::Segment>{{0, 2, true}, {3, 6, true}, {7, 8, true}}));
}

TEST(Segments, of_a_ramp_between_two_levels_are_a_transition_and_no_ladder) {
  const std::vector<double> values{0, 0, 0, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3, 3, 3};
  const auto segments = stats::segment(values, everywhere(values, 0.05), 2);
  ASSERT_EQ(segments.size(), 3U);
  EXPECT_TRUE(segments[0].level);
  EXPECT_FALSE(segments[1].level);
  EXPECT_TRUE(segments[2].level);
}

TEST(Segments, keep_one_value_between_two_levels_as_a_transition) {
  const std::vector<double> values{0, 0, 0, 0.6, 1.5, 1.5, 1.5};
  EXPECT_EQ(stats::segment(values, everywhere(values, 0.02), 2),
            (std::vector<stats::Segment>{{0, 2, true}, {3, 3, false}, {4, 6, true}}));
}

TEST(Segments, cover_every_value_once) {
  const auto values = curves::with_noise(curves::staircase({{7, 1}, {5, 2}, {9, 5}}), 0.3, 11);
  std::size_t next = 0;
  for (const stats::Segment& segment : stats::segment(values, everywhere(values, 0.1), 2)) {
    EXPECT_EQ(segment.first, next);
    next = segment.last + 1;
  }
  EXPECT_EQ(next, values.size());
}

TEST(Segments, of_nothing_are_none) { EXPECT_TRUE(stats::segment({}, {}, 2).empty()); }

}  // namespace
