#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "probe.hpp"

namespace {

using host_test::fact;
using host_test::measure;
using host_test::value;
using host_test::verdict;

core::Point latency(std::int64_t footprint) {
  return {"latency/global", {{"footprint", "bytes", footprint}}};
}

double health(const core::Samples& samples, const std::string& name) {
  const core::Quantity* found = core::find(samples.health, name, "count");
  return found == nullptr ? -1 : found->value;
}

double sum_of(const core::Samples& samples, const std::string& column) {
  const auto at = std::ranges::find(samples.columns, column, &core::Column::name);
  return at == samples.columns.end() ? -1
                                     : std::accumulate(at->values.begin(), at->values.end(), 0.0);
}

TEST(LatencyGlobal, of_4_KiB_is_that_of_a_first_level_cache) {
  host::Context context = host_test::context(4096);
  const core::Samples samples = measure(context, latency(4096));
  const double ns = value(samples, "latency", "ns");
  EXPECT_GT(ns, 0.3);
  EXPECT_LT(ns, 20);
  EXPECT_NEAR(value(samples, "latency", "cycles"), ns * samples.clock.hertz() * 1e-9, 1e-9);
  EXPECT_EQ(samples.time_ns, ns);
  for (const core::Check& check : samples.checks)
    EXPECT_EQ(check.verdict, core::Verdict::pass) << check.name << ": " << check.detail;
}

TEST(LatencyGlobal, is_the_median_of_what_the_raw_windows_give) {
  host::Context context = host_test::context(65536);
  const core::Samples samples = measure(context, latency(65536));
  const auto column = [&](const char* name) {
    return std::ranges::find(samples.columns, name, &core::Column::name)->values;
  };
  const auto short_hops = column("short_window_hops");
  const auto long_hops = column("long_window_hops");
  const auto short_ns = column("short_window");
  const auto long_ns = column("long_window");
  std::vector<double> each;
  for (std::size_t pair = 0; pair < short_ns.size(); ++pair)
    each.push_back((long_ns[pair] - short_ns[pair]) / (long_hops[pair] - short_hops[pair]));
  ASSERT_GE(each.size(), 15u);
  EXPECT_EQ(column("latency"), each);
  EXPECT_EQ(value(samples, "latency", "ns"), core::median(each));
}

TEST(LatencyGlobal, does_pairs_of_windows_again_from_which_its_core_was_taken_away) {
  for (const std::int64_t footprint : {65536, 4 << 20}) {
    host::Context context = host_test::context(static_cast<std::size_t>(footprint));
    // Looked at before and after every pair: taken away within the first two tries.
    std::int64_t looks = 0;
    context.faults.preemptions = [&] { return std::min<std::int64_t>(++looks / 2, 2); };
    const core::Samples samples = measure(context, latency(footprint));
    EXPECT_EQ(health(samples, "repeated_pairs"), 2);
    EXPECT_EQ(health(samples, "disturbed_pairs"), 0);
    EXPECT_EQ(verdict(samples, "final index"), core::Verdict::pass);
    EXPECT_EQ(sum_of(samples, "short_window_hops") + sum_of(samples, "long_window_hops"),
              fact(samples, "timed_hops", "count"));
  }
}

TEST(LatencyGlobal, on_a_core_that_is_always_taken_away_ends_and_says_so) {
  host::Context context = host_test::context(96 << 20);
  for (const bool laps : {true, false}) {
    if (!laps) context.device.caches = {{.level = 1, .size_bytes = 4 << 20}};
    std::int64_t looks = 0;
    context.faults.preemptions = [&] { return ++looks; };
    const core::Samples samples = measure(context, latency(laps ? 65536 : 96 << 20));
    const double pairs = static_cast<double>(samples.columns.front().values.size());
    EXPECT_GE(pairs, 30);
    EXPECT_EQ(health(samples, "repeated_pairs"), pairs);
    EXPECT_EQ(health(samples, "disturbed_pairs"), pairs);
    EXPECT_EQ(verdict(samples, "final index"), core::Verdict::pass);
  }
}

TEST(LatencyGlobal, of_64_MiB_is_several_times_that_of_4_KiB) {
  host::Context context = host_test::context(64 << 20);
  const double near = value(measure(context, latency(4096)), "latency", "ns");
  const core::Samples far = measure(context, latency(64 << 20));
  EXPECT_GT(value(far, "latency", "ns"), 5 * near);
  EXPECT_EQ(verdict(far, "final index"), core::Verdict::pass);
}

TEST(LatencyGlobal, walks_every_line_in_whole_laps_after_one_that_warms) {
  host::Context context = host_test::context(1 << 20);
  for (const std::int64_t footprint : {1024, 4160, 196608, 1 << 20}) {
    const core::Samples samples = measure(context, latency(footprint));
    const double nodes = fact(samples, "nodes", "count");
    EXPECT_EQ(nodes, static_cast<double>(footprint) / 64);
    EXPECT_EQ(std::fmod(fact(samples, "timed_hops", "count"), nodes), 0);
    EXPECT_GT(fact(samples, "warm_hops", "count"), nodes);
    EXPECT_EQ(sum_of(samples, "short_window_hops") + sum_of(samples, "long_window_hops"),
              fact(samples, "timed_hops", "count"));
    EXPECT_EQ(verdict(samples, "final index"), core::Verdict::pass);
    EXPECT_EQ(verdict(samples, "one cycle"), core::Verdict::pass);
  }
}

// A machine whose last cache is small has its large footprints where tests can afford them.
TEST(LatencyGlobal, far_above_the_last_cache_times_only_lines_not_met_before) {
  host::Context context = host_test::context(96 << 20);
  context.device.caches = {{.level = 1, .size_bytes = 4 << 20}};
  const core::Samples samples = measure(context, latency(96 << 20));
  EXPECT_EQ(fact(samples, "nodes", "count"), 1 << 20);
  EXPECT_EQ(fact(samples, "span", "bytes"), 96 << 20);
  EXPECT_GE(fact(samples, "warm_hops", "count"), (4 << 20) / 64);
  EXPECT_LE(fact(samples, "warm_hops", "count") + fact(samples, "timed_hops", "count"), 1 << 20);
  EXPECT_EQ(verdict(samples, "final index"), core::Verdict::pass);
}

TEST(LatencyGlobal, that_leaves_its_cycle_fails_the_final_index) {
  host::Context context = host_test::context(65536);
  context.faults.before_windows = [](std::span<std::byte> memory) {
    // Two nodes exchange their successors: the cycle falls into two.
    std::swap_ranges(memory.begin(), memory.begin() + 8, memory.begin() + 64);
  };
  int failed = 0;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const core::Samples samples = measure(context, latency(65536), {1, repetition});
    failed += verdict(samples, "final index") == core::Verdict::fail ? 1 : 0;
    EXPECT_EQ(verdict(samples, "one cycle"), core::Verdict::pass);  // of the chain as built
  }
  EXPECT_GE(failed, 4);  // by chance the walk may end on the same node
}

TEST(LatencyGlobal, is_placed_elsewhere_in_every_repetition_and_alike_for_one_seed) {
  host::Context context = host_test::context(8192);
  const auto facts = [&](int repetition) {
    return measure(context, latency(8192), {.seed = 3, .repetition = repetition}).facts;
  };
  EXPECT_EQ(facts(0), facts(0));
  EXPECT_NE(facts(0), facts(1));
}

TEST(LatencyGlobal, beyond_the_arena_is_skipped) {
  host::Context context = host_test::context(4096);
  EXPECT_THROW(measure(context, latency(64 << 20)), core::SkipError);
}

TEST(LatencyGlobal, declares_what_it_answers_and_needs) {
  const core::ProbeSpec& spec = host_test::probe("latency/global").spec;
  EXPECT_EQ(spec.answers, core::answers::kLevelLatency);
  ASSERT_EQ(spec.axes.size(), 1u);
  EXPECT_EQ(spec.axes[0].refuse(std::int64_t{4096}), "");
  EXPECT_NE(spec.axes[0].refuse(std::int64_t{512}), "");
  EXPECT_NE(spec.axes[0].refuse(std::int64_t{4100}), "");
  const core::Capacities capacities{{"l1", 32768}, {"l2", 1 << 20}, {"l3", 32 << 20}};
  const core::Cost small = spec.cost(latency(4096), capacities);
  const core::Cost large = spec.cost(latency(128 << 20), capacities);
  EXPECT_EQ(large.memory_bytes, 128 << 20);
  EXPECT_GT(large.seconds, 10 * small.seconds);
  EXPECT_LT(small.seconds, 0.02);
}

}  // namespace
