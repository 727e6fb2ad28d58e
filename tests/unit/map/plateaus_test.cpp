#include "map/plateaus.hpp"

#include <gtest/gtest.h>

#include "synthetic.hpp"

namespace {

using namespace synthetic;

constexpr map::Surroundings kL2Chase{.own = 60 * kMiB, .nearer = 248 * kKiB};

map::Curve curve_of(const std::vector<core::Measurement>& points) {
  return map::curves(points, points.front().answers).at(0);
}

std::vector<std::int64_t> footprints(const std::optional<map::Plateau>& plateau) {
  std::vector<std::int64_t> all;
  if (plateau)
    for (const auto* point : plateau->points) all.push_back(map::footprint_bytes(*point));
  return all;
}

std::vector<core::Measurement> chases(const std::vector<std::int64_t>& all) {
  std::vector<core::Measurement> points;
  for (const std::int64_t bytes : all) points.push_back(chase("cg", bytes, 268));
  return points;
}

using Bytes = std::vector<std::int64_t>;

TEST(Plateaus, of_a_middle_cache_are_clear_of_the_cache_before_and_of_half_its_own_size) {
  const auto points = chases({512 * kKiB, 992 * kKiB, 8 * kMiB, 24 * kMiB, 32 * kMiB, 128 * kMiB});
  EXPECT_EQ(footprints(map::plateau(curve_of(points), kL2Chase)),
            (Bytes{992 * kKiB, 8 * kMiB, 24 * kMiB}));
}

TEST(Plateaus, of_a_first_cache_are_footprints_up_to_half_of_it) {
  const auto points = chases({kKiB, 64 * kKiB, 124 * kKiB, 192 * kKiB});
  EXPECT_EQ(footprints(map::plateau(curve_of(points), {.own = 248 * kKiB})),
            (Bytes{kKiB, 64 * kKiB, 124 * kKiB}));
}

TEST(Plateaus, of_a_stream_in_a_first_cache_leave_small_footprints_out) {
  const auto points = chases({kKiB, 32 * kKiB, 64 * kKiB, 124 * kKiB, 192 * kKiB});
  EXPECT_EQ(footprints(map::plateau(curve_of(points), {.own = 248 * kKiB, .is_bandwidth = true})),
            (Bytes{64 * kKiB, 124 * kKiB}));
}

TEST(Plateaus, of_a_stream_in_a_first_cache_make_do_with_small_footprints) {
  const auto points = chases({kKiB, 32 * kKiB, 192 * kKiB});
  EXPECT_EQ(footprints(map::plateau(curve_of(points), {.own = 248 * kKiB, .is_bandwidth = true})),
            (Bytes{32 * kKiB}));
}

TEST(Plateaus, of_memory_are_four_times_the_last_cache_and_more) {
  const auto points = chases({60 * kMiB, 128 * kMiB, 240 * kMiB, 480 * kMiB});
  const auto found = map::plateau(curve_of(points), {.nearer = 60 * kMiB, .is_memory = true});
  EXPECT_EQ(footprints(found), (Bytes{240 * kMiB, 480 * kMiB}));
  EXPECT_EQ(found->note, "");
}

TEST(Plateaus, admit_it_when_the_sweep_has_no_clear_point) {
  const auto points = chases({600 * kKiB});
  const auto found = map::plateau(curve_of(points), kL2Chase);
  EXPECT_EQ(footprints(found), (Bytes{600 * kKiB}));
  EXPECT_NE(found->note.find("taken from 2 x"), std::string::npos) << found->note;
}

TEST(Plateaus, of_memory_with_one_point_admit_that_flatness_is_unknown) {
  const auto found =
      map::plateau(curve_of(chases({240 * kMiB})), {.nearer = 60 * kMiB, .is_memory = true});
  EXPECT_NE(found->note.find("one point"), std::string::npos);
  EXPECT_EQ(found->status, core::Status::ok);
}

constexpr map::Surroundings kMemory{.nearer = 60 * kMiB, .is_memory = true};

std::vector<core::Measurement> memory_streams(
    const std::vector<std::pair<std::int64_t, double>>& bytes_and_rates) {
  std::vector<core::Measurement> points;
  for (const auto& [bytes, bytes_per_s] : bytes_and_rates)
    points.push_back(stream("read", "cg", bytes, bytes_per_s));
  return points;
}

TEST(Plateaus, of_memory_leave_out_a_small_point_that_differs_however_far_the_next_one_is) {
  const auto points =
      memory_streams({{240 * kMiB, 4.242e12}, {1024 * kMiB, 4.557e12}, {2048 * kMiB, 4.585e12}});
  const auto found = map::plateau(curve_of(points), kMemory);
  EXPECT_EQ(footprints(found), (Bytes{1024 * kMiB, 2048 * kMiB}));
  EXPECT_EQ(found->status, core::Status::ok);
  EXPECT_NE(found->note.find("1 of 3 points left out (240 MiB is 7."), std::string::npos)
      << found->note;
}

TEST(Plateaus, of_memory_take_nothing_below_the_point_where_the_curve_still_changes) {
  const auto points = memory_streams({{240 * kMiB, 4.55e12},
                                      {480 * kMiB, 4.2e12},
                                      {1024 * kMiB, 4.55e12},
                                      {2048 * kMiB, 4.55e12}});
  EXPECT_EQ(footprints(map::plateau(curve_of(points), kMemory)), (Bytes{1024 * kMiB, 2048 * kMiB}));
}

TEST(Plateaus, of_memory_are_flat_as_far_as_intervals_overlap) {
  auto points =
      memory_streams({{240 * kMiB, 4.0e12}, {1024 * kMiB, 4.2e12}, {2048 * kMiB, 4.36e12}});
  const auto scatter = [](core::Measurement& one, double share) {
    one.summary.front().low = one.summary.front().value * (1 - share);
    one.summary.front().high = one.summary.front().value * (1 + share);
  };
  for (core::Measurement& one : points) scatter(one, 0.02);
  const auto found = map::plateau(curve_of(points), kMemory);
  EXPECT_EQ(footprints(found), (Bytes{1024 * kMiB, 2048 * kMiB}));
  EXPECT_EQ(found->status, core::Status::ok);
  // Overlaps alone do not make a slope flat.
  for (core::Measurement& one : points) scatter(one, 0.05);
  points.front().summary.front().value = 3.8e12;
  const auto drifting = map::plateau(curve_of(points), kMemory);
  EXPECT_EQ(footprints(drifting).size(), 3u);
  EXPECT_EQ(drifting->status, core::Status::unstable);
}

TEST(Plateaus, of_memory_that_change_up_to_the_largest_footprint_are_that_one_point) {
  const auto points = memory_streams({{240 * kMiB, 4.2e12}, {1024 * kMiB, 4.5e12}});
  const auto found = map::plateau(curve_of(points), kMemory);
  EXPECT_EQ(footprints(found), (Bytes{1024 * kMiB}));
  EXPECT_EQ(found->status, core::Status::ok);
  EXPECT_NE(found->note.find("left out"), std::string::npos) << found->note;
  EXPECT_NE(found->note.find("one point"), std::string::npos) << found->note;
}

TEST(Plateaus, of_memory_that_drift_in_small_steps_are_unstable) {
  std::vector<core::Measurement> points;
  double rate = 4e12;
  for (std::int64_t bytes = 240 * kMiB; bytes < std::int64_t{16} * 1024 * kMiB; bytes *= 2)
    points.push_back(stream("read", "cg", bytes, rate *= 1.025));
  const auto found = map::plateau(curve_of(points), kMemory);
  EXPECT_EQ(found->points.size(), points.size());
  EXPECT_EQ(found->status, core::Status::unstable);
  EXPECT_NE(found->note.find("not flat"), std::string::npos) << found->note;
}

TEST(Plateaus, are_none_where_no_point_could_show_the_level) {
  EXPECT_FALSE(map::plateau(curve_of(chases({kKiB, 2 * kKiB})), kL2Chase));
  EXPECT_FALSE(map::plateau(curve_of(chases({kMiB})), {.own = 0, .nearer = 0}));
}

TEST(Plateaus, end_where_the_curve_steps_although_more_is_stated) {
  const auto points = chases({2 * kMiB, 8 * kMiB, 16 * kMiB});
  map::Surroundings around = kL2Chase;
  around.ends_at = 8 * kMiB;
  EXPECT_EQ(footprints(map::plateau(curve_of(points), around)), (Bytes{2 * kMiB, 8 * kMiB}));
}

TEST(Plateaus, prefer_points_that_are_ok_and_say_what_they_leave_out) {
  auto points = chases({2 * kMiB, 8 * kMiB, 16 * kMiB});
  points[1].status = core::Status::unstable;
  points[1].reason = "throttled";
  const auto found = map::plateau(curve_of(points), kL2Chase);
  EXPECT_EQ(footprints(found), (Bytes{2 * kMiB, 16 * kMiB}));
  EXPECT_EQ(found->note, "1 of 3 points left out (unstable: throttled)");
}

TEST(Plateaus, of_unstable_points_alone_are_unstable_and_say_why) {
  auto points = chases({2 * kMiB});
  points[0].status = core::Status::unstable;
  points[0].reason = "throttled";
  const auto found = map::plateau(curve_of(points), kL2Chase);
  EXPECT_EQ(found->status, core::Status::unstable);
  EXPECT_EQ(found->note, "throttled");
}

TEST(Plateaus, never_take_failed_points) {
  auto points = chases({2 * kMiB});
  points[0].status = core::Status::failed;
  EXPECT_FALSE(map::plateau(curve_of(points), kL2Chase));
}

TEST(PlateauEstimate, counts_repetitions_and_not_footprints) {
  const auto points = chases({2 * kMiB, 8 * kMiB, 16 * kMiB});
  const auto found = map::plateau(curve_of(points), kL2Chase);
  const core::Estimate estimate = map::estimate_of(*found, "latency", "cycles");
  EXPECT_EQ(estimate.n, 5);
  EXPECT_NEAR(estimate.value, 268, 1);
  EXPECT_DOUBLE_EQ(estimate.confidence, 0.9375);
}

TEST(PlateauEstimate, takes_only_repetitions_that_all_points_have) {
  auto points = chases({2 * kMiB, 8 * kMiB, 16 * kMiB});
  points[1] = chase("cg", 8 * kMiB, 300);
  points[2] = chase("cg", 16 * kMiB, 320);
  for (core::Measurement* shorter : {&points[1], &points[2]}) {
    shorter->repetitions.resize(3);
    shorter->summary = stats::summarize(shorter->repetitions);
  }
  const auto found = map::plateau(curve_of(points), kL2Chase);
  const core::Estimate estimate = map::estimate_of(*found, "latency", "cycles");
  EXPECT_EQ(estimate.n, 3);
  // The last two repetitions are of the first point alone, which is 10 % faster.
  EXPECT_NEAR(estimate.low, 300, 2);
}

TEST(PlateauEstimate, of_one_point_is_its_own_summary) {
  const auto points = chases({2 * kMiB});
  const auto found = map::plateau(curve_of(points), kL2Chase);
  EXPECT_EQ(map::estimate_of(*found, "latency", "cycles"), points[0].summary[0]);
}

}  // namespace
