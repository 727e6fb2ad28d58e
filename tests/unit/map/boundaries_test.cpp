#include "map/boundaries.hpp"

#include <gtest/gtest.h>

#include "synthetic.hpp"

namespace {

using namespace synthetic;
using Match = std::vector<std::optional<std::size_t>>;

std::vector<map::Boundary> at(const std::vector<std::int64_t>& found) {
  std::vector<map::Boundary> all;
  for (const std::int64_t bytes : found) all.push_back({.found_bytes = bytes});
  return all;
}

Match match(const std::vector<std::int64_t>& capacities, const std::vector<std::int64_t>& found) {
  return map::match(capacities, at(found));
}

constexpr auto kNone = std::nullopt;

TEST(Boundaries, lie_between_the_last_point_that_fits_and_the_first_that_does_not) {
  std::vector<core::Measurement> points;
  for (const std::int64_t bytes : sweep(64 * kKiB, 4 * kMiB))
    points.push_back(chase("ca", bytes, ca_cycles(bytes)));
  const auto curves = map::curves(points, core::answers::kLevelLatency);
  ASSERT_EQ(curves.size(), 1U);
  const auto found = map::boundaries(curves[0], "latency", "cycles");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].found_bytes, 192 * kKiB);
  EXPECT_EQ(found[0].low_bytes, 192 * kKiB);
  EXPECT_EQ(found[0].high_bytes, 256 * kKiB);
  EXPECT_EQ(found[0].widest_low_bytes, 128 * kKiB);
  EXPECT_EQ(found[0].widest_high_bytes, 384 * kKiB);
  EXPECT_NEAR(found[0].before, 32.5, 0.2);
  EXPECT_NEAR(found[0].after, 268, 2);
  EXPECT_TRUE(found[0].may_be(248 * kKiB));
  EXPECT_FALSE(found[0].may_be(512 * kKiB));
}

TEST(Boundaries, ignore_points_without_a_number) {
  std::vector<core::Measurement> points;
  for (const std::int64_t bytes : sweep(64 * kKiB, 4 * kMiB))
    points.push_back(chase("ca", bytes, ca_cycles(bytes)));
  points[1].status = core::Status::failed;
  points[6].status = core::Status::invalid;
  const auto curves = map::curves(points, core::answers::kLevelLatency);
  EXPECT_EQ(map::boundaries(curves[0], "latency", "cycles").size(), 1U);
  for (core::Measurement& point : points) point.status = core::Status::failed;
  EXPECT_TRUE(
      map::boundaries(map::curves(points, core::answers::kLevelLatency)[0], "latency", "cycles")
          .empty());
}

TEST(Matching, takes_the_boundary_nearest_to_what_is_stated) {
  EXPECT_EQ(match({60 * kMiB}, {30 * kMiB, 56 * kMiB}), (Match{1}));
  EXPECT_EQ(match({248 * kKiB, 60 * kMiB}, {216 * kKiB, 30 * kMiB, 64 * kMiB}), (Match{0, 2}));
}

TEST(Matching, leaves_a_level_without_a_step_unmatched) {
  EXPECT_EQ(match({32 * kKiB, kMiB, 16 * kMiB}, {kMiB, 16 * kMiB}), (Match{kNone, 0, 1}));
  EXPECT_EQ(match({32 * kKiB}, {}), (Match{kNone}));
}

TEST(Matching, does_not_stretch_beyond_a_factor_of_four) {
  EXPECT_EQ(match({32 * kMiB}, {8 * kMiB}), (Match{0}));
  EXPECT_EQ(match({32 * kMiB}, {7 * kMiB}), (Match{kNone}));
}

TEST(Matching, gives_an_unstated_level_the_step_between_its_neighbours) {
  EXPECT_EQ(match({32 * kKiB, 0, 16 * kMiB}, {32 * kKiB, 512 * kKiB, 16 * kMiB}), (Match{0, 1, 2}));
}

TEST(Matching, keeps_the_order) {
  EXPECT_EQ(match({kMiB, 2 * kMiB}, {2 * kMiB}), (Match{kNone, 0}));
  EXPECT_EQ(match({kMiB, 2 * kMiB}, {kMiB}), (Match{0, kNone}));
}

}  // namespace
