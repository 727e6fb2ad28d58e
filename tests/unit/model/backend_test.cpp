#include "model/backend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/error.hpp"

namespace {

core::Point chase(std::int64_t footprint_bytes) {
  return {.probe = "latency/global", .settings = {{"footprint", "bytes", footprint_bytes}}};
}

core::Point stream(const std::string& operation, std::int64_t footprint_bytes) {
  return {.probe = "bandwidth/global",
          .settings = {{"operation", "", operation}, {"footprint", "bytes", footprint_bytes}}};
}

double cycles(core::Backend& backend, std::int64_t footprint_bytes) {
  return core::find(backend.measure(chase(footprint_bytes), {}).metrics, "latency", "cycles")
      ->value;
}

TEST(Model, answers_the_latency_of_the_level_that_holds_the_footprint) {
  model::Hierarchy exact = model::default_hierarchy();
  exact.noise = 0;
  const auto backend = model::make_backend(exact);
  EXPECT_EQ(cycles(*backend, 32 << 10), 30);
  EXPECT_EQ(cycles(*backend, (32 << 10) + 128), 100);
  EXPECT_EQ(cycles(*backend, 1 << 20), 100);
  EXPECT_EQ(cycles(*backend, 16 << 20), 250);
  EXPECT_EQ(cycles(*backend, 64 << 20), 700);
}

TEST(Model, shows_a_private_cache_up_to_the_sum_over_its_sms_in_bandwidth) {
  model::Hierarchy exact = model::default_hierarchy();
  exact.noise = 0;
  const auto backend = model::make_backend(exact);
  const auto width = [&](std::int64_t bytes) {
    return core::find(backend->measure(stream("read", bytes), {}).metrics, "bandwidth",
                      "bytes_per_cycle_per_sm")
        ->value;
  };
  EXPECT_NEAR(width(exact.sm_count * (32 << 10)), 64, 1e-6);
  EXPECT_NEAR(width(exact.sm_count * (32 << 10) + 128), 32, 1e-6);
}

TEST(Model, says_cycles_and_nanoseconds_that_agree_with_its_clock) {
  const auto backend = model::make_backend();
  const core::Samples samples = backend->measure(chase(1024), {.seed = 3, .repetition = 1});
  const double clock_hertz = model::default_hierarchy().clock_hertz;
  EXPECT_NEAR(samples.metrics.at(0).value / samples.metrics.at(1).value * 1e9, clock_hertz, 1);
  EXPECT_NEAR(samples.clock.hertz(), clock_hertz, clock_hertz * 2e-4);
}

TEST(Model, gives_the_same_samples_whatever_was_measured_before) {
  const auto one = model::make_backend();
  const auto other = model::make_backend();
  for (std::int64_t bytes = 1024; bytes < (1 << 20); bytes *= 2) other->measure(chase(bytes), {});
  const core::Trial trial{.seed = 7, .repetition = 2};
  EXPECT_EQ(one->measure(chase(4096), trial), other->measure(chase(4096), trial));
}

TEST(Model, varies_with_seed_point_and_repetition) {
  const auto backend = model::make_backend();
  std::set<double> values;
  for (const core::Trial& trial :
       {core::Trial{.seed = 1, .repetition = 0}, core::Trial{.seed = 1, .repetition = 1},
        core::Trial{.seed = 2, .repetition = 0}})
    for (const std::int64_t bytes : {1024, 2048})
      values.insert(backend->measure(chase(bytes), trial).metrics.at(0).value);
  EXPECT_EQ(values.size(), 6U);
}

TEST(Model, scatters_its_repetitions_as_much_as_its_noise_says) {
  model::Hierarchy noisy = model::default_hierarchy();
  noisy.noise = 0.05;
  const auto backend = model::make_backend(noisy);
  double sum = 0, squares = 0;
  const int n = 2000;
  for (int i = 0; i < n; ++i) {
    const double sample =
        backend->measure(chase(1024), {.seed = 1, .repetition = i}).columns.at(0).values.at(0) / 30;
    sum += sample;
    squares += sample * sample;
  }
  const double mean = sum / n;
  EXPECT_NEAR(mean, 1, 0.005);
  EXPECT_NEAR(std::sqrt(squares / n - mean * mean), 0.05, 0.004);
}

TEST(Model, blends_two_levels_over_the_width_of_a_transition) {
  model::Hierarchy gradual = model::default_hierarchy();
  gradual.transition = 2;
  EXPECT_NEAR(model::latency_cycles(gradual, 1 << 20), std::sqrt(100.0 * 250.0), 1e-6);
  EXPECT_NEAR(model::latency_cycles(gradual, 4 << 20), 250, 1e-6);
  EXPECT_NEAR(model::latency_cycles(gradual, 512 << 10), 100, 1e-6);
}

TEST(Model, is_labelled_as_simulated_and_has_no_machine_code) {
  const core::Description description = model::make_backend()->describe();
  EXPECT_TRUE(description.simulated);
  EXPECT_EQ(description.device.substr(0, 5), "model");
  EXPECT_TRUE(description.machine_code_sha256.empty());
  EXPECT_TRUE(description.uuid.empty());
}

TEST(Model, states_capacities_and_levels_that_agree) {
  const core::Description description = model::make_backend()->describe();
  ASSERT_EQ(description.levels.size(), 4U);
  EXPECT_EQ(description.capacities.get("l1"), description.levels[0].stated_capacity_bytes);
  EXPECT_EQ(description.capacities.get("l1_total"),
            4 * description.levels[0].stated_capacity_bytes);
  EXPECT_EQ(description.capacities.get("l3"), description.levels[2].stated_capacity_bytes);
  EXPECT_EQ(description.levels[3].family, core::Family::memory);
  EXPECT_LT(description.capacities.get("free_memory"), description.capacities.get("memory"));
}

TEST(Model, declares_probes_whose_automatic_values_it_accepts) {
  for (const core::ProbeSpec& spec : model::make_backend()->probes()) {
    for (const core::Axis& axis : spec.axes) {
      EXPECT_FALSE(axis.automatic.empty());
      if (axis.takes_words()) continue;
      for (const std::string& text : axis.automatic)
        EXPECT_EQ(axis.refuse(std::int64_t{std::stoll(text)}), "") << text;
    }
  }
}

TEST(Model, skips_a_footprint_beyond_its_free_memory) {
  const auto backend = model::make_backend();
  const auto spec = backend->probes().at(1);
  const core::Capacities capacities = backend->describe().capacities;
  EXPECT_EQ(spec.skip(chase(1024), capacities), "");
  EXPECT_EQ(spec.skip(chase(std::int64_t{4} << 30), capacities), "needs 4 GiB, 3.5 GiB are free");
  EXPECT_THROW(backend->prepare(std::int64_t{4} << 30), core::UnavailableError);
}

TEST(Model, fails_a_point_of_a_probe_that_it_lacks) {
  EXPECT_THROW(model::make_backend()->measure({.probe = "latency/shared", .settings = {}}, {}),
               core::MeasureError);
}

}  // namespace
