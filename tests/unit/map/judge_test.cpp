#include <gtest/gtest.h>

#include <limits>

#include "synthetic.hpp"

namespace {

using namespace synthetic;

core::Measurement judged(core::Measurement one) {
  // Neighbours that keep the run's clock steady.
  std::vector<core::Measurement> all{std::move(one)};
  for (int i = 1; i < 5; ++i) all.push_back(chase("ca", i * 1024, 32.5));
  return map::judge(std::move(all), gpu()).front();
}

core::Measurement hbm_read(double bytes_per_s) {
  return stream("read", "cg", 1024 * kMiB, bytes_per_s);
}

TEST(Judge, leaves_a_good_point_ok_without_a_reason) {
  const auto point = judged(hbm_read(4.5e12));
  EXPECT_EQ(point.status, core::Status::ok);
  EXPECT_EQ(point.reason, "");
}

TEST(Judge, calls_a_figure_above_the_physical_ceiling_invalid_and_names_it) {
  const auto point = judged(hbm_read(5.0e12));
  EXPECT_EQ(point.status, core::Status::invalid);
  EXPECT_NE(point.reason.find("HBM"), std::string::npos) << point.reason;
  EXPECT_NE(point.reason.find("pin rate"), std::string::npos);
}

TEST(Judge, forgives_half_a_per_cent_above_the_ceiling_for_timer_edges) {
  EXPECT_EQ(judged(hbm_read(4.814e12 * 1.004)).status, core::Status::ok);
  EXPECT_EQ(judged(hbm_read(4.814e12 * 1.009)).status, core::Status::invalid);
}

TEST(Judge, needs_the_whole_interval_above_the_ceiling) {
  core::Measurement wide = hbm_read(5.0e12);
  wide.repetitions[0].samples.metrics[0].value /= 1.08;
  wide.repetitions[0].samples.metrics[1].value /= 1.08;
  wide.summary = stats::summarize(wide.repetitions);
  EXPECT_EQ(judged(wide).status, core::Status::ok);
}

TEST(Judge, holds_no_memory_ceiling_against_what_a_cache_may_serve) {
  EXPECT_EQ(judged(stream("read", "cg", 200 * kMiB, 9e12)).status, core::Status::ok);
  EXPECT_EQ(judged(stream("read", "cg", 240 * kMiB, 9e12)).status, core::Status::invalid);
}

TEST(Judge, holds_the_l1_ceiling_against_loads_that_pass_through_it) {
  const double too_fast = 140.0 * kSms * kClockHertz;
  EXPECT_EQ(judged(stream("read", "ca", 8 * kMiB, too_fast)).status, core::Status::invalid);
  EXPECT_EQ(judged(stream("read", "cg", 8 * kMiB, too_fast)).status, core::Status::ok);
}

TEST(Judge, knows_the_ceilings_of_shared_memory_and_registers) {
  EXPECT_EQ(judged(one_number("bandwidth/shared", {word("operation", "read")},
                              core::answers::kScratchpadBandwidth,
                              {"bandwidth", "bytes_per_cycle_per_sm", 512}))
                .status,
            core::Status::invalid);
  EXPECT_EQ(
      judged(one_number("bandwidth/register", {word("operation", "ffma")},
                        core::answers::kOperandRate, {"rate", "operations_per_cycle_per_sm", 131}))
          .status,
      core::Status::invalid);
}

void slow_down(core::Measurement& point, std::size_t repetitions, double factor) {
  for (std::size_t i = 0; i < repetitions; ++i) point.repetitions[i].samples.clock.cycles *= factor;
}

TEST(Judge, calls_a_point_whose_clock_moved_unstable_and_says_by_how_much) {
  core::Measurement throttled = chase("ca", 4096, 32.5);
  slow_down(throttled, 3, 0.8);
  const auto point = judged(throttled);
  EXPECT_EQ(point.status, core::Status::unstable);
  EXPECT_EQ(point.reason,
            "the clock that ran was 1584 MHz, 20.0 % below the run's steady 1980 MHz");
}

TEST(Judge, goes_by_the_median_clock_as_the_value_is_a_median) {
  core::Measurement throttled = chase("ca", 4096, 32.5);
  slow_down(throttled, 2, 0.8);
  EXPECT_EQ(judged(throttled).status, core::Status::ok);
}

TEST(Judge, forgives_a_clock_within_half_a_per_cent) {
  core::Measurement point = chase("ca", 4096, 32.5);
  slow_down(point, 5, 0.996);
  EXPECT_EQ(judged(point).status, core::Status::ok);
  slow_down(point, 5, 0.996);
  EXPECT_EQ(judged(point).status, core::Status::unstable);
}

core::Description cpu() {
  core::Description description = gpu();
  description.backend = "host";
  return description;
}

TEST(Judge, calls_a_point_unstable_that_the_device_itself_held_back_even_once) {
  core::Measurement held = hbm_read(4.5e12);
  held.repetitions.back().samples.health = {{"power_event_time", "ns", 250e3}};
  const auto point = judged(held);
  EXPECT_EQ(point.status, core::Status::unstable);
  EXPECT_NE(point.reason.find("power_event_time"), std::string::npos) << point.reason;
  held.repetitions.back().samples.health.front().value = 0;
  EXPECT_EQ(judged(held).status, core::Status::ok);
}

TEST(Judge, does_not_hold_a_calibrated_clock_against_a_cpu) {
  core::Measurement throttled = chase("ca", 4096, 32.5);
  slow_down(throttled, 5, 0.8);
  EXPECT_EQ(map::judge({throttled, chase("ca", 1024, 32), chase("ca", 2048, 32)}, cpu())[0].status,
            core::Status::ok);
}

TEST(Judge, calls_scattered_repetitions_unstable_where_no_clock_tells) {
  const core::Measurement scattered =
      measurement({.probe = "overhead/clock", .settings = {}}, core::answers::kClockCost,
                  {{"cost", "cycles", 20}}, 0.3);
  const auto point = map::judge({scattered}, cpu())[0];
  EXPECT_EQ(point.status, core::Status::unstable);
  EXPECT_NE(point.reason.find("scatter"), std::string::npos) << point.reason;
  EXPECT_EQ(judged(scattered).status, core::Status::ok);
}

TEST(Judge, goes_by_the_scatter_of_a_point_without_a_clock_though_the_run_has_one) {
  core::Measurement launch = measurement({.probe = "overhead/launch", .settings = {}},
                                         core::answers::kLaunchCost, {{"cost", "ns", 2000}}, 0.3);
  for (core::Repetition& repetition : launch.repetitions) repetition.samples.clock = {};
  const auto point = judged(launch);
  EXPECT_EQ(point.status, core::Status::unstable);
  EXPECT_NE(point.reason.find("scatter"), std::string::npos) << point.reason;
}

TEST(Judge, calls_a_point_unstable_during_which_the_memory_lost_data_or_a_row) {
  for (const char* name : {"ecc_uncorrected", "row_remaps_corrected", "row_remaps_uncorrected"}) {
    core::Measurement faulted = hbm_read(4.5e12);
    faulted.repetitions[2].samples.health = {{name, "count", 2}};
    const auto point = judged(faulted);
    EXPECT_EQ(point.status, core::Status::unstable) << name;
    EXPECT_EQ(point.reason, std::string("the device reports 2 ") + name + " in repetition 2");
    faulted.repetitions[2].samples.health.front().value = 0;
    EXPECT_EQ(judged(faulted).status, core::Status::ok) << name;
  }
}

TEST(Judge, takes_corrected_memory_errors_for_harmless) {
  core::Measurement corrected = hbm_read(4.5e12);
  corrected.repetitions[2].samples.health = {{"ecc_corrected", "count", 2}};
  EXPECT_EQ(judged(corrected).status, core::Status::ok);
}

TEST(Judge, believes_no_figure_of_kernels_that_were_cut_short) {
  core::Description description = gpu();
  description.explanations = {{"kernels_cut_short", true}};
  core::Measurement skipped{.point = {.probe = "latency/global", .settings = {}},
                            .status = core::Status::skipped,
                            .reason = "because"};
  const std::vector<core::Measurement> all{chase("ca", 4096, 32.5), hbm_read(50e12), skipped};
  const auto cut = map::judge(all, description);
  for (const std::size_t i : {0, 1}) {
    EXPECT_EQ(cut[i].status, core::Status::unstable);
    EXPECT_EQ(cut[i].reason, "kernels were cut short (MICRO_BRIEF): figures mean nothing");
  }
  EXPECT_EQ(cut[2].status, core::Status::skipped);
  description.explanations.front().value = false;
  EXPECT_EQ(map::judge(all, description)[0].status, core::Status::ok);
}

TEST(Judge, fails_a_point_with_a_failed_check_and_says_which) {
  core::Measurement wrong = chase("ca", 4096, 32.5);
  wrong.repetitions[3].samples.checks = {{"final index", core::Verdict::fail, "12 not 7"}};
  const auto point = judged(wrong);
  EXPECT_EQ(point.status, core::Status::failed);
  EXPECT_EQ(point.reason, "check 'final index' failed in repetition 3: 12 not 7");
}

TEST(Judge, fails_a_point_that_is_no_number_even_in_one_repetition) {
  core::Measurement wrong = chase("ca", 4096, 32.5);
  wrong.repetitions[1].samples.metrics[0].value = std::numeric_limits<double>::quiet_NaN();
  wrong.summary = stats::summarize(wrong.repetitions);
  EXPECT_EQ(judged(wrong).status, core::Status::failed);
}

TEST(Judge, fails_a_point_without_a_single_number) {
  core::Measurement empty = chase("ca", 4096, 32.5);
  empty.repetitions.clear();
  empty.summary.clear();
  EXPECT_EQ(judged(empty).status, core::Status::failed);
}

TEST(Judge, leaves_skipped_and_failed_points_and_their_reasons_alone) {
  for (const core::Status status : {core::Status::skipped, core::Status::failed}) {
    core::Measurement point{.point = {.probe = "latency/global", .settings = {}},
                            .status = status,
                            .reason = "because"};
    EXPECT_EQ(judged(point).status, status);
    EXPECT_EQ(judged(point).reason, "because");
  }
}

TEST(Judge, judges_again_what_was_judged_before) {
  core::Measurement once = chase("ca", 4096, 32.5);
  once.status = core::Status::unstable;
  once.reason = "an older analysis";
  EXPECT_EQ(judged(once).status, core::Status::ok);
  EXPECT_EQ(judged(once).reason, "");
}

}  // namespace
