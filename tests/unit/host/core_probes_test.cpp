// The probes of one core beside latency/global: what they find on any machine, and that their checks fail
// when what they walk is spoilt.

#include <gtest/gtest.h>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "probe.hpp"

namespace {

using host_test::fact;
using host_test::measure;
using host_test::value;
using host_test::verdict;

constexpr std::int64_t kKiB = 1024;

core::Point stride(std::int64_t footprint, std::int64_t stride) {
  return {"pattern/stride", {{"footprint", "bytes", footprint}, {"stride", "bytes", stride}}};
}
core::Point loads(std::int64_t footprint, std::int64_t chains) {
  return {"hiding/loads", {{"footprint", "bytes", footprint}, {"chains", "count", chains}}};
}
core::Point reuse(std::int64_t footprint, std::int64_t passes) {
  return {"reuse/cache", {{"footprint", "bytes", footprint}, {"passes", "count", passes}}};
}
core::Point tlb(const std::string& page, std::int64_t lines) {
  return {"latency/tlb", {{"page", "", page}, {"lines", "count", lines}}};
}

std::int64_t needed(const core::Point& point, const host::Context& context) {
  core::Capacities capacities;
  capacities.set("l3", context.device.last_cache_bytes());
  return host_test::probe(point.probe).spec.cost(point, capacities).memory_bytes;
}

core::Samples measured(const core::Point& point, int repetition = 0) {
  host::Context context = host_test::context(0);
  context.arena = host::Arena(static_cast<std::size_t>(needed(point, context)));
  return measure(context, point, {.seed = 1, .repetition = repetition});
}

// Others may take the core away: the best of a few repetitions is asked, not one.
double least(const core::Point& point, const std::string& metric, const std::string& unit) {
  double best = value(measured(point), metric, unit);
  for (int repetition = 1; repetition < 4; ++repetition)
    best = std::min(best, value(measured(point, repetition), metric, unit));
  return best;
}

void expect_all_pass(const core::Samples& samples) {
  EXPECT_GE(samples.checks.size(), 2u);
  for (const core::Check& check : samples.checks)
    EXPECT_EQ(check.verdict, core::Verdict::pass) << check.name << ": " << check.detail;
  for (const core::Quantity& metric : samples.metrics)
    EXPECT_GT(metric.value, 0) << metric.name << " in " << metric.unit;
}

/// Failures of `check` in five repetitions with two of the chain's places exchanged.
int failures_when_spoilt(const core::Point& point, const std::string& check, std::size_t apart) {
  int failed = 0;
  for (int repetition = 0; repetition < 5; ++repetition) {
    host::Context context = host_test::context(0);
    context.arena = host::Arena(static_cast<std::size_t>(needed(point, context)));
    context.faults.before_windows = [&](std::span<std::byte> memory) {
      std::swap_ranges(memory.begin(), memory.begin() + 8,
                       memory.begin() + static_cast<std::ptrdiff_t>(apart));
    };
    failed += verdict(measure(context, point, {.seed = 1, .repetition = repetition}), check) ==
                      core::Verdict::fail
                  ? 1
                  : 0;
  }
  return failed;
}

TEST(PatternStride, costs_more_when_every_access_needs_a_line_of_its_own) {
  for (const std::int64_t bytes : {8, 24, 64, 256, 4096}) {
    SCOPED_TRACE(bytes);
    expect_all_pass(measured(stride(512 * kKiB, bytes)));
  }
  // Eight places of 8 bytes share a line of 64: seven of eight accesses find it in the first cache.
  EXPECT_GT(least(stride(256 * kKiB, 64), "access_cost", "ns"),
            1.2 * least(stride(256 * kKiB, 8), "access_cost", "ns"));
}

TEST(PatternStride, visits_every_place_of_the_footprint) {
  const core::Samples samples = measured(stride(64 * kKiB, 32));
  EXPECT_EQ(fact(samples, "places", "count"), 2048);
  EXPECT_EQ(fact(samples, "span", "bytes"), 64 * kKiB);
  EXPECT_GT(fact(samples, "warm_hops", "count"), 2048);
}

TEST(PatternStride, that_leaves_its_cycle_fails_the_final_index) {
  EXPECT_GE(failures_when_spoilt(stride(64 * kKiB, 64), "final index", 64), 4);
}

TEST(PatternStride, refuses_a_footprint_of_less_than_two_groups) {
  const core::ProbeSpec& spec = host_test::probe("pattern/stride").spec;
  EXPECT_EQ(spec.answers, core::answers::kStrideCost);
  EXPECT_EQ(spec.refuse(stride(1024, 64)), "");
  EXPECT_NE(spec.refuse(stride(1024, 128)), "");
  EXPECT_NE(spec.axes[1].refuse(std::int64_t{12}), "");
}

TEST(HidingLoads, of_independent_chains_take_less_time_each) {
  for (const std::int64_t chains : {1, 2, 3, 7, 16}) {
    SCOPED_TRACE(chains);
    expect_all_pass(measured(loads(16 * kKiB, chains)));
  }
  EXPECT_NEAR(value(measured(loads(16 * kKiB, 1)), "parallelism", "count"), 1, 0.2);
  const double four = value(measured(loads(16 * kKiB, 4)), "parallelism", "count");
  EXPECT_GT(four, 2);
  EXPECT_LT(four, 4.8);
}

TEST(HidingLoads, is_the_median_of_its_pairs) {
  const core::Samples samples = measured(loads(64 * kKiB, 2));
  ASSERT_EQ(samples.columns.front().name, "parallelism");
  EXPECT_EQ(value(samples, "parallelism", "count"), core::median(samples.columns.front().values));
}

TEST(HidingLoads, that_leave_their_cycle_fail_the_final_index) {
  EXPECT_GE(failures_when_spoilt(loads(64 * kKiB, 4), "final index", 64), 4);
}

TEST(HidingLoads, refuses_chains_that_would_meet) {
  const core::ProbeSpec& spec = host_test::probe("hiding/loads").spec;
  EXPECT_EQ(spec.answers, core::answers::kLoadParallelism);
  EXPECT_EQ(spec.refuse(loads(4096, 16)), "");
  EXPECT_NE(spec.refuse(loads(2048, 16)), "");
  EXPECT_NE(spec.axes[1].refuse(std::int64_t{17}), "");
}

TEST(ReuseCache, of_a_set_that_fits_costs_less_the_more_often_it_is_read) {
  expect_all_pass(measured(reuse(256 * kKiB, 1)));
  EXPECT_LT(1.5 * least(reuse(256 * kKiB, 16), "time_per_byte", "ns"),
            least(reuse(256 * kKiB, 1), "time_per_byte", "ns"));
}

TEST(ReuseCache, that_was_spoilt_fails_the_sum) {
  const core::Point point = reuse(256 * kKiB, 2);
  host::Context context = host_test::context(0);
  context.arena = host::Arena(static_cast<std::size_t>(needed(point, context)));
  context.faults.before_windows = [](std::span<std::byte> memory) {
    memory[12345] ^= std::byte{1};
  };
  EXPECT_EQ(verdict(measure(context, point), "sum read"), core::Verdict::fail);
}

TEST(ReuseCache, needs_room_for_what_pushes_the_set_out) {
  const core::ProbeSpec& spec = host_test::probe("reuse/cache").spec;
  EXPECT_EQ(spec.answers, core::answers::kReuse);
  const core::Capacities capacities{{"l1", 32768}, {"l2", 1 << 20}, {"l3", 32 << 20}};
  EXPECT_EQ(spec.cost(reuse(65536, 1), capacities).memory_bytes, 65536 + (64 << 20));
}

TEST(LatencyTlb, rises_with_pages_where_as_many_lines_side_by_side_do_not) {
  expect_all_pass(measured(tlb("small", 16)));
  const core::Samples far = measured(tlb("small", 16384));
  expect_all_pass(far);
  EXPECT_EQ(fact(far, "pages", "count"), 16384);
  EXPECT_GT(value(far, "latency", "ns"), 1.5 * value(far, "compact_latency", "ns"));
}

TEST(LatencyTlb, on_huge_pages_needs_a_512th_of_the_pages_or_is_skipped) {
  try {
    const core::Samples samples = measured(tlb("huge", 2048));
    EXPECT_EQ(fact(samples, "pages", "count"), 4);
    expect_all_pass(samples);
  } catch (const core::SkipError& error) {
    EXPECT_NE(std::string(error.what()).find("no huge pages"), std::string::npos);
  }
}

TEST(LatencyTlb, that_leaves_its_cycle_fails_the_final_index) {
  // Lines 0 and 1 of steps 0 and 1.
  EXPECT_GE(failures_when_spoilt(tlb("small", 512), "final index", 4096 + 64), 4);
  EXPECT_EQ(host_test::probe("latency/tlb").spec.answers, core::answers::kTranslationLatency);
}

}  // namespace
