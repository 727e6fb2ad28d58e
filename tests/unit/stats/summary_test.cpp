#include "stats/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/chain.hpp"

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

core::Repetition repetition(int number, std::vector<core::Quantity> metrics) {
  return {.number = number, .started_utc = {}, .samples = {.metrics = std::move(metrics)}};
}

TEST(Median, of_an_even_count_is_the_mean_of_the_middle_two) {
  EXPECT_EQ(stats::median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(stats::median(std::vector<double>{9, 1, 5}), 5);
}

TEST(Median, of_nothing_is_not_a_number) {
  EXPECT_TRUE(std::isnan(stats::median({})));
  EXPECT_TRUE(std::isnan(stats::quantile({}, 0.5)));
  EXPECT_TRUE(std::isnan(stats::median_absolute_deviation({})));
}

TEST(Quantile, interpolates_between_order_statistics) {
  const std::vector<double> values{40, 10, 30, 20};
  EXPECT_EQ(stats::quantile(values, 0), 10);
  EXPECT_EQ(stats::quantile(values, 1), 40);
  EXPECT_DOUBLE_EQ(stats::quantile(values, 0.5), 25);
  EXPECT_DOUBLE_EQ(stats::quantile(values, 0.25), 17.5);
}

TEST(MedianAbsoluteDeviation, ignores_one_outlier) {
  EXPECT_EQ(stats::median_absolute_deviation(std::vector<double>{1, 2, 3, 4, 1000}), 1);
}

TEST(Estimate, of_five_values_is_their_full_range_with_its_true_confidence) {
  const std::vector<double> values{5, 1, 4, 2, 3};
  const core::Estimate estimate = stats::estimate("latency", "cycles", values);
  EXPECT_EQ(estimate.value, 3);
  EXPECT_EQ(estimate.low, 1);
  EXPECT_EQ(estimate.high, 5);
  EXPECT_DOUBLE_EQ(estimate.confidence, 0.9375);
  EXPECT_EQ(estimate.n, 5);
  EXPECT_EQ(estimate.spread, 1);
}

TEST(Estimate, of_one_value_claims_no_confidence) {
  const core::Estimate estimate = stats::estimate("latency", "cycles", std::vector<double>{7});
  EXPECT_EQ(estimate.low, 7);
  EXPECT_EQ(estimate.high, 7);
  EXPECT_EQ(estimate.confidence, 0);
}

TEST(Estimate, of_many_values_has_the_ranks_of_the_binomial_table) {
  std::vector<double> values;
  for (int i = 1; i <= 20; ++i) values.push_back(i);
  const core::Estimate estimate = stats::estimate("x", "count", values);
  EXPECT_EQ(estimate.low, 6);  // ranks 6 and 15 of 20: 0.9586
  EXPECT_EQ(estimate.high, 15);
  EXPECT_NEAR(estimate.confidence, 0.95861, 1e-5);
}

TEST(Estimate, of_two_thousand_values_does_not_underflow) {
  std::vector<double> values;
  for (int i = 1; i <= 2001; ++i) values.push_back(i);
  const core::Estimate estimate = stats::estimate("x", "count", values);
  EXPECT_GE(estimate.confidence, 0.95);
  EXPECT_LT(estimate.confidence, 0.96);
  EXPECT_NEAR(1001 - estimate.low, 1.96 * std::sqrt(2001.0) / 2, 2);
}

TEST(Estimate, covers_the_median_as_often_as_it_says) {
  core::Random random(5);
  for (const int n : {5, 9, 15}) {
    int covered = 0;
    double confidence = 0;
    for (int trial = 0; trial < 4000; ++trial) {
      std::vector<double> values;
      for (int i = 0; i < n; ++i) values.push_back(random.normal());
      const core::Estimate estimate = stats::estimate("x", "count", values);
      confidence = estimate.confidence;
      if (estimate.low <= 0 && estimate.high >= 0) ++covered;
    }
    EXPECT_NEAR(covered / 4000.0, confidence, 0.012) << n;
  }
}

TEST(Estimate, of_a_repetition_that_is_no_number_is_no_number) {
  const core::Estimate estimate =
      stats::estimate("latency", "cycles", std::vector<double>{1, kNotANumber, 3});
  EXPECT_TRUE(std::isnan(estimate.value));
  EXPECT_TRUE(std::isnan(estimate.low));
  EXPECT_EQ(estimate.n, 3);
}

TEST(Summary, has_one_estimate_per_metric_and_unit_headline_first) {
  const std::vector<core::Repetition> repetitions{
      repetition(0, {{"latency", "cycles", 30}, {"latency", "ns", 20}}),
      repetition(1, {{"latency", "ns", 22}, {"latency", "cycles", 32}}),
      repetition(2, {{"latency", "cycles", 31}, {"latency", "ns", 21}, {"hops", "count", 5}})};
  const auto summary = stats::summarize(repetitions);
  ASSERT_EQ(summary.size(), 3U);
  EXPECT_EQ(summary[0].unit, "cycles");
  EXPECT_EQ(summary[0].value, 31);
  EXPECT_EQ(summary[1].value, 21);
  EXPECT_EQ(summary[2].n, 1);
}

TEST(Summary, never_pools_the_raw_samples_of_repetitions) {
  auto one = repetition(0, {{"latency", "cycles", 30}});
  one.samples.columns = {{"window", "cycles", {1, 2, 3, 4}}};
  const auto summary = stats::summarize(std::vector<core::Repetition>{one});
  ASSERT_EQ(summary.size(), 1U);
  EXPECT_EQ(summary[0].n, 1);
}

TEST(Summary, of_nothing_is_empty) { EXPECT_TRUE(stats::summarize({}).empty()); }

}  // namespace
