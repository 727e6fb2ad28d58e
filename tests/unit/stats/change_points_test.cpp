#include "stats/change_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "curves.hpp"

namespace {

std::vector<std::size_t> indices(const std::vector<double>& values) {
  std::vector<std::size_t> all;
  for (const stats::ChangePoint& point : stats::change_points(values)) all.push_back(point.index);
  return all;
}

using Indices = std::vector<std::size_t>;

TEST(ChangePoints, of_a_clean_staircase_are_its_steps) {
  const std::vector<curves::Level> levels{{6, 32}, {5, 270}, {6, 700}};
  EXPECT_EQ(indices(curves::staircase(levels)), curves::boundaries(levels));
}

TEST(ChangePoints, of_a_falling_staircase_are_its_steps) {
  EXPECT_EQ(indices(curves::staircase({{6, 64}, {4, 30}, {8, 6}})), (Indices{6, 10}));
}

TEST(ChangePoints, of_levels_of_two_values_are_found) {
  EXPECT_EQ(indices({30, 30, 100, 100, 250, 250, 700, 700}), (Indices{2, 4, 6}));
}

TEST(ChangePoints, of_a_noisy_staircase_are_its_steps) {
  const std::vector<curves::Level> levels{{8, 30}, {8, 60}, {8, 150}};
  EXPECT_EQ(indices(curves::with_noise(curves::staircase(levels), 0.05, 1)),
            curves::boundaries(levels));
}

TEST(ChangePoints, have_the_confidence_of_their_test) {
  for (const auto& point : stats::change_points(curves::staircase({{6, 32}, {6, 270}}))) {
    EXPECT_GE(point.confidence, 0.99);
    EXPECT_LT(point.confidence, 1);
  }
}

TEST(ChangePoints, are_not_forced_on_a_constant_curve) {
  EXPECT_TRUE(indices(std::vector<double>(40, 32.0)).empty());
}

TEST(ChangePoints, of_no_value_and_of_one_are_none) {
  EXPECT_TRUE(indices({}).empty());
  EXPECT_TRUE(indices({32}).empty());
  EXPECT_TRUE(indices({32, 700}).empty());
}

TEST(ChangePoints, of_a_step_smaller_than_counts_are_none) {
  EXPECT_TRUE(indices(curves::staircase({{10, 100}, {10, 108}})).empty());
  EXPECT_EQ(indices(curves::staircase({{10, 100}, {10, 112}})), (Indices{10}));
}

TEST(ChangePoints, of_a_curve_that_drifts_throughout_are_none) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(100 * std::pow(1.03, i));
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    EXPECT_TRUE(indices(curves::with_noise(values, 0.02, seed)).empty()) << seed;
}

TEST(ChangePoints, of_a_bimodal_level_are_rarely_invented) {
  int invented = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    core::Random random(seed);
    std::vector<double> values;
    for (int i = 0; i < 40; ++i) values.push_back(random.uniform() < 0.3 ? 130 : 100);
    if (!indices(values).empty()) ++invented;
  }
  EXPECT_LE(invented, 20);
}

TEST(ChangePoints, do_not_see_one_outlier_as_a_level) {
  std::vector<double> values = curves::staircase({{10, 30}, {10, 100}});
  values[4] = 300;
  values[15] = 20;
  EXPECT_EQ(indices(values), (Indices{10}));
}

TEST(ChangePoints, of_a_gradual_transition_are_one_and_say_where_it_lies) {
  std::vector<double> values = curves::staircase({{8, 100}});
  for (int i = 1; i <= 7; ++i) values.push_back(100 * std::pow(2.5, i / 8.0));
  values.insert(values.end(), 8, 250.0);
  const auto points = stats::change_points(values);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_TRUE(points[0].gradual());
  EXPECT_NEAR(static_cast<double>(points[0].index), 12, 1);
  EXPECT_LE(points[0].from, 8U);
  EXPECT_GE(points[0].from, 6U);
  EXPECT_GE(points[0].to, 14U);
  EXPECT_LE(points[0].to, 16U);
}

TEST(ChangePoints, of_a_sharp_step_are_not_gradual) {
  const auto points = stats::change_points(curves::staircase({{6, 32}, {6, 270}}));
  ASSERT_EQ(points.size(), 1U);
  EXPECT_FALSE(points[0].gradual());
  EXPECT_EQ(points[0].from, 5U);
  EXPECT_EQ(points[0].to, 6U);
}

TEST(ChangePoints, lie_beside_one_value_in_the_middle_of_a_step) {
  const auto points =
      stats::change_points(std::vector<double>{30, 30, 30, 30, 60, 250, 250, 250, 250});
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].index, 5U);  // 60 is nearer to 30, as ratios go
  EXPECT_EQ(points[0].from, 3U);
  EXPECT_EQ(points[0].to, 5U);
  EXPECT_FALSE(points[0].gradual());
}

TEST(ChangePoints, of_a_curve_cut_off_in_a_transition_end_with_the_last_level) {
  std::vector<double> values = curves::staircase({{8, 30}, {8, 100}});
  for (int i = 1; i <= 5; ++i) values.push_back(100 * std::pow(1.3, i));
  EXPECT_EQ(indices(values), (Indices{8}));
}

TEST(ChangePoints, are_the_same_every_time) {
  const auto values = curves::with_noise(curves::staircase({{9, 30}, {9, 45}}), 0.1, 4);
  const auto once = stats::change_points(values);
  const auto again = stats::change_points(values);
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].confidence, again[i].confidence);
}

TEST(ChangePoints, refuse_values_that_have_no_logarithm) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()})
    EXPECT_THROW(stats::change_points(std::vector<double>{1, 2, bad, 3}), std::invalid_argument);
}

}  // namespace
