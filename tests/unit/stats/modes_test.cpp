#include "stats/modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/chain.hpp"

namespace {

std::vector<double> normal(core::Random& random, std::size_t count, double mean, double deviation) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(mean + deviation * random.normal());
  return values;
}

std::vector<double> mixed(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<double> whole(std::vector<double> values) {
  for (double& value : values) value = std::round(value);
  return values;
}

TEST(Modes, of_near_and_far_latencies_are_found_with_their_share) {
  core::Random random(1);
  const auto modes =
      stats::two_modes(whole(mixed(normal(random, 750, 270, 15), normal(random, 250, 450, 15))));
  ASSERT_TRUE(modes);
  EXPECT_NEAR(modes->low.median, 270, 2);
  EXPECT_NEAR(modes->high.median, 450, 3);
  EXPECT_EQ(modes->low.count, 750U);
  EXPECT_EQ(modes->high.count, 250U);
  EXPECT_DOUBLE_EQ(modes->high_share, 0.25);
  EXPECT_NEAR(modes->low.spread, 15 / 1.4826, 2);
  EXPECT_GT(modes->threshold, 320);
  EXPECT_LT(modes->threshold, 400);
  EXPECT_GE(modes->confidence, 0.999);
}

TEST(Modes, have_an_interval_of_their_share_that_holds_the_true_one) {
  int missed = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    core::Random random(seed);
    std::vector<double> values;
    for (int i = 0; i < 400; ++i)
      values.push_back((random.uniform() < 0.3 ? 450 : 270) + 15 * random.normal());
    const auto modes = stats::two_modes(values);
    ASSERT_TRUE(modes) << seed;
    EXPECT_LT(modes->share_from, modes->high_share);
    EXPECT_GT(modes->share_to, modes->high_share);
    if (modes->share_from > 0.3 || modes->share_to < 0.3) ++missed;
  }
  EXPECT_LE(missed, 20);
  EXPECT_GE(missed, 1);  // an interval that is never wrong is too wide
}

TEST(Modes, of_memory_with_a_tail_are_not_body_and_tail) {
  core::Random random(2);
  auto values = mixed(normal(random, 500, 540, 25), normal(random, 500, 725, 30));
  for (int i = 0; i < 40; ++i) values.push_back(850 + 700 * random.uniform());
  const auto modes = stats::two_modes(values);
  ASSERT_TRUE(modes);
  EXPECT_NEAR(modes->low.median, 540, 5);
  EXPECT_NEAR(modes->high.median, 728, 8);
}

TEST(Modes, of_a_rare_population_are_found_and_a_few_outliers_are_none) {
  core::Random random(3);
  const auto body = normal(random, 1000, 270, 10);
  EXPECT_TRUE(stats::two_modes(mixed(body, normal(random, 40, 450, 10))));
  EXPECT_FALSE(stats::two_modes(mixed(body, normal(random, 5, 450, 10))));
}

TEST(Modes, of_populations_that_run_into_each_other_are_not_told_apart) {
  core::Random random(4);
  EXPECT_FALSE(stats::two_modes(mixed(normal(random, 500, 270, 15), normal(random, 500, 300, 15))));
}

TEST(Modes, are_rarely_invented_in_one_population) {
  int invented = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    core::Random random(seed);
    std::vector<std::vector<double>> families(6);
    for (int i = 0; i < 300; ++i) {
      const double u = random.uniform();
      const double normal = random.normal();
      families[0].push_back(270 + 15 * normal);
      families[1].push_back(200 + 100 * u);                   // flat
      families[2].push_back(200 - 30 * std::log(1 - u));      // one-sided tail
      families[3].push_back(100 * std::exp(normal));          // heavier tail
      families[4].push_back(270 + std::round(1.2 * normal));  // few steps
      families[5].push_back(270 + 10 * normal / (0.05 + std::abs(random.normal())));  // wide tails
    }
    for (const auto& values : families) invented += stats::two_modes(values).has_value();
  }
  EXPECT_LE(invented, 3);
}

TEST(Modes, of_two_neighbouring_whole_numbers_are_one) {
  std::vector<double> values(100, 32);
  values.insert(values.end(), 100, 33);
  EXPECT_FALSE(stats::two_modes(values));
  for (double& value : values) value = value == 33 ? 60 : value;
  EXPECT_TRUE(stats::two_modes(values));
}

TEST(Modes, of_equal_or_too_few_values_are_one) {
  EXPECT_FALSE(stats::two_modes(std::vector<double>(50, 32)));
  EXPECT_FALSE(stats::two_modes({}));
  EXPECT_FALSE(stats::two_modes(std::vector<double>{270}));
  EXPECT_FALSE(stats::two_modes(std::vector<double>{270, 450}));
  EXPECT_FALSE(stats::two_modes(std::vector<double>{270, 271, 450, 451}));
}

TEST(Modes, do_not_depend_on_the_order_of_the_values) {
  core::Random random(5);
  auto values = mixed(normal(random, 100, 0, 2), normal(random, 60, 178, 15));
  const auto once = stats::two_modes(values);
  std::ranges::reverse(values);
  const auto again = stats::two_modes(values);
  ASSERT_TRUE(once && again);
  EXPECT_EQ(once->threshold, again->threshold);
  EXPECT_EQ(once->high.count, again->high.count);
}

TEST(Modes, refuse_what_is_no_number) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(stats::two_modes(std::vector<double>{1, 2, bad, 3}), std::invalid_argument);
}

}  // namespace
