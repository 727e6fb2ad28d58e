#include "cuda/windows.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace {

constexpr double kOverhead = 40;

cuda::WindowPlan plan() { return {.short_operations = 16, .long_operations = 48}; }

/// A record as a chase of `cycles` an operation would leave it, at 2 GHz.
cuda::WindowRecord record_of(double cycles) {
  cuda::WindowRecord record{.start = {1'000, 500}, .stop = {2'001'000, 1'000'500}};
  record.pairs = plan().pairs;
  for (std::uint32_t i = 0; i < record.pairs; ++i) {
    record.short_cycles[i] = static_cast<std::uint64_t>(16 * cycles + kOverhead);
    record.long_cycles[i] = static_cast<std::uint64_t>(48 * cycles + kOverhead);
  }
  return record;
}

double value_of(const std::vector<core::Quantity>& all, const char* name, const char* unit) {
  const core::Quantity* found = core::find(all, name, unit);
  return found == nullptr ? -1 : found->value;
}

TEST(LatencySamples, are_the_difference_of_two_windows_without_what_both_share) {
  const core::Samples samples = cuda::latency_samples(plan(), record_of(33));
  EXPECT_DOUBLE_EQ(value_of(samples.metrics, "latency", "cycles"), 33);
  EXPECT_DOUBLE_EQ(value_of(samples.metrics, "latency", "ns"), 16.5);
  EXPECT_DOUBLE_EQ(value_of(samples.facts, "window_overhead", "cycles"), kOverhead);
  EXPECT_NEAR(value_of(samples.facts, "uncorrected_latency", "cycles"), 33 + 2 * kOverhead / 64,
              1e-9);
  EXPECT_DOUBLE_EQ(samples.clock.hertz(), 2e9);
}

TEST(LatencySamples, keep_every_raw_window) {
  const core::Samples samples = cuda::latency_samples(plan(), record_of(33));
  ASSERT_EQ(samples.columns.size(), 2U);
  EXPECT_EQ(samples.columns[0].values, std::vector<double>(plan().pairs, 16 * 33 + kOverhead));
  EXPECT_EQ(samples.columns[1].values, std::vector<double>(plan().pairs, 48 * 33 + kOverhead));
}

TEST(LatencySamples, fail_their_check_when_the_stop_clock_of_short_windows_did_not_wait) {
  cuda::WindowRecord record = record_of(273);
  for (std::uint64_t& window : record.short_cycles) window -= 273;  // one access is missing
  const core::Samples samples = cuda::latency_samples(plan(), record);
  ASSERT_EQ(samples.checks.size(), 1U);
  EXPECT_EQ(samples.checks.front().verdict, core::Verdict::fail);
  EXPECT_EQ(cuda::latency_samples(plan(), record_of(273)).checks.front().verdict,
            core::Verdict::pass);
}

TEST(LatencySamples, do_not_claim_a_check_that_a_short_operation_cannot_fail) {
  EXPECT_EQ(cuda::latency_samples(plan(), record_of(4)).checks.front().verdict,
            core::Verdict::not_available);
}

TEST(LatencySamples, are_not_failed_for_the_noise_of_a_mixture) {
  cuda::WindowRecord record = record_of(100);
  for (std::uint32_t i = 0; i < record.pairs; ++i) {
    // Hits and misses by turns: the medians do not agree to the cycle.
    record.short_cycles[i] = i % 2 == 0 ? 1000 : 2200;
    record.long_cycles[i] = i % 3 == 0 ? 4000 : 5600;
  }
  EXPECT_NE(cuda::latency_samples(plan(), record).checks.front().verdict, core::Verdict::fail);
}

TEST(LatencySamples, are_refused_when_a_clock_was_not_read_or_stood_still) {
  cuda::WindowRecord unread = record_of(33);
  unread.long_cycles[7] = ~std::uint64_t{0} - 12345;
  EXPECT_THROW(cuda::latency_samples(plan(), unread), core::MeasureError);

  unread = record_of(33);
  unread.short_cycles[7] = ~std::uint64_t{0} - 12345;
  EXPECT_THROW(cuda::latency_samples(plan(), unread), core::MeasureError);

  cuda::WindowRecord still = record_of(33);
  still.stop.ns = still.start.ns;
  EXPECT_THROW(cuda::latency_samples(plan(), still), core::MeasureError);
}

TEST(LatencySamples, are_refused_when_long_windows_took_no_longer) {
  cuda::WindowRecord record = record_of(33);
  for (std::uint32_t i = 0; i < record.pairs; ++i) record.long_cycles[i] = record.short_cycles[i];
  EXPECT_THROW(cuda::latency_samples(plan(), record), core::MeasureError);
}

TEST(OperationsDone, count_warm_up_pairs_and_extra_windows) {
  cuda::WindowPlan walk = plan();
  walk.warm_operations = 1000;
  cuda::WindowRecord record = record_of(33);
  record.extra_windows = 5;
  EXPECT_EQ(cuda::operations_done(walk, record), 1000U + 128U * (16U + 48U) + 5U * 16U);
}

}  // namespace
