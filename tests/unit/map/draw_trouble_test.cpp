// What the map says when a run is not clean.

#include <gtest/gtest.h>

#include "synthetic.hpp"

namespace {

using namespace synthetic;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

template <typename Cycles>
std::vector<core::Measurement> chases(const std::string& cache_operator, Cycles cycles) {
  std::vector<core::Measurement> all;
  for (const std::int64_t bytes : sweep(kKiB, 1024 * kMiB))
    all.push_back(chase(cache_operator, bytes, cycles(bytes)));
  return all;
}

TEST(Map, of_nothing_says_that_nothing_was_measured) {
  const map::MemoryMap map = map_of({});
  ASSERT_EQ(map.levels.size(), 5U);
  for (const map::MapLevel& one : map.levels) {
    EXPECT_TRUE(contains(one.status, "not measured")) << one.status;
    EXPECT_EQ(one.capacity.found_bytes, 0);
  }
  EXPECT_EQ(level(map, "L2").capacity.stated_bytes, 60 * kMiB);
}

TEST(Map, of_points_that_all_failed_says_why) {
  auto run = full_run();
  for (core::Measurement& one : run) {
    one.status = core::Status::failed;
    one.reason = "the device is lost";
    one.repetitions.clear();
    one.summary.clear();
  }
  for (const map::MapLevel& one : map_of(run).levels) {
    EXPECT_TRUE(contains(one.status, "failed: the device is lost")) << one.name << one.status;
    EXPECT_TRUE(one.latency.empty());
  }
}

TEST(Map, shows_an_impossible_figure_as_invalid_and_says_so_first) {
  auto run = full_run();
  for (core::Measurement& one : run)
    if (one.answers == core::answers::kScratchpadBandwidth)
      one = one_number("bandwidth/shared", one.point.settings, one.answers,
                       {"bandwidth", "bytes_per_cycle_per_sm", 512});
  const map::MapLevel shared = level(map_of(run), "Shared");
  EXPECT_EQ(shared.bandwidth.at(0).status, core::Status::invalid);
  EXPECT_TRUE(shared.status.starts_with("invalid: at least 51")) << shared.status;
}

TEST(Map, prefers_a_sound_figure_to_a_faster_impossible_one) {
  auto run = full_run();
  for (core::Measurement& one : run)
    if (one.point.id() == "bandwidth/shared/operation:read/width_bytes:16")
      one = one_number("bandwidth/shared", one.point.settings, one.answers,
                       {"bandwidth", "bytes_per_cycle_per_sm", 512});
  const map::Entry read = level(map_of(run), "Shared").bandwidth.at(0);
  EXPECT_EQ(read.status, core::Status::ok);
  EXPECT_LT(read.estimate.value, 128);
}

TEST(Map, calls_the_part_from_half_a_cache_upwards_a_mixture_and_no_level) {
  const auto run = chases("cg", [](std::int64_t bytes) {
    return bytes <= 30 * kMiB ? 262.0 : bytes <= 60 * kMiB ? 510.0 : 690.0;
  });
  const map::MemoryMap map = map_of(run);
  const map::Capacity& l2 = level(map, "L2").capacity;
  EXPECT_EQ(l2.found_bytes, 48 * kMiB);
  EXPECT_TRUE(contains(l2.note, "mixture")) << l2.note;
  EXPECT_TRUE(map.unexplained.empty());
  EXPECT_NEAR(level(map, "L2").latency.at(0).estimate.value, 262, 1);
}

TEST(Map, names_a_gradual_transition) {
  const auto run = chases("cg", [](std::int64_t bytes) {
    const double octaves = std::log2(static_cast<double>(bytes) / static_cast<double>(24 * kMiB));
    return 262 * std::pow(690.0 / 262, std::clamp(octaves / 3, 0.0, 1.0));
  });
  const map::Capacity l2 = level(map_of(run), "L2").capacity;
  EXPECT_TRUE(contains(l2.note, "ends gradually, 24 MiB to 192 MiB")) << l2.note;
  EXPECT_LT(l2.found_low_bytes, l2.found_bytes);
}

TEST(Map, reports_a_step_that_no_stated_level_explains) {
  const auto run = chases("cg", [](std::int64_t bytes) {
    return bytes <= 60 * kMiB ? 262.0 : bytes <= 300 * kMiB ? 690.0 : 1000.0;
  });
  const map::MemoryMap map = map_of(run);
  ASSERT_EQ(map.unexplained.size(), 1U);
  EXPECT_TRUE(contains(map.unexplained[0], "690 cycles to 1000 cycles")) << map.unexplained[0];
  EXPECT_TRUE(contains(map.unexplained[0], "between 256 MiB to 384 MiB")) << map.unexplained[0];
}

TEST(Map, says_when_found_and_stated_capacity_disagree) {
  const auto run =
      chases("cg", [](std::int64_t bytes) { return bytes <= 20 * kMiB ? 262.0 : 690.0; });
  const map::Capacity l2 = level(map_of(run), "L2").capacity;
  EXPECT_EQ(l2.found_bytes, 16 * kMiB);
  EXPECT_TRUE(contains(l2.note, "found and stated disagree")) << l2.note;
}

TEST(Map, says_when_latency_and_bandwidth_find_different_capacities) {
  auto run = chases("cg", [](std::int64_t bytes) { return bytes <= 90 * kMiB ? 262.0 : 690.0; });
  for (const std::int64_t bytes : sweep(kMiB, 1024 * kMiB))
    run.push_back(stream("read", "cg", bytes, bytes <= 20 * kMiB ? 9e12 : 4.5e12));
  const map::MemoryMap map = map_of(run);
  ASSERT_EQ(map.disagreements.size(), 1U);
  EXPECT_TRUE(contains(map.disagreements[0], "L2 capacity")) << map.disagreements[0];
}

TEST(Map, takes_a_capacity_from_the_bandwidth_where_the_latency_has_none) {
  std::vector<core::Measurement> run;
  for (const std::int64_t bytes : sweep(kMiB, 1024 * kMiB))
    run.push_back(stream("read", "ca", bytes,
                         bytes <= kSms * 240 * kKiB ? 33e12
                         : bytes <= 60 * kMiB       ? 9e12
                                                    : 4.5e12));
  const map::Capacity l1 = level(map_of(run), "L1").capacity;
  EXPECT_TRUE(contains(l1.note, "from the bandwidth curve")) << l1.note;
  EXPECT_LE(l1.found_low_bytes, 248 * kKiB);
  EXPECT_GE(l1.found_high_bytes, 240 * kKiB);
}

TEST(Map, says_when_two_operators_disagree_about_one_level) {
  auto run = chases("cg", [](std::int64_t bytes) { return bytes <= 60 * kMiB ? 262.0 : 690.0; });
  for (core::Measurement& one : chases("ca", [](std::int64_t bytes) {
         return bytes <= 240 * kKiB ? 32.0 : bytes <= 60 * kMiB ? 300.0 : 690.0;
       }))
    run.push_back(std::move(one));
  const map::MemoryMap map = map_of(run);
  ASSERT_EQ(map.disagreements.size(), 1U);
  EXPECT_TRUE(contains(map.disagreements[0], "L2 latency: 262 cycles")) << map.disagreements[0];
  EXPECT_TRUE(contains(map.disagreements[0], "300 cycles")) << map.disagreements[0];
}

TEST(Map, of_one_point_a_level_takes_that_point) {
  const std::vector<core::Measurement> run{
      chase("ca", 96 * kKiB, 32.5), chase("cg", 24 * kMiB, 268), chase("cg", 480 * kMiB, 690)};
  const map::MemoryMap map = map_of(run);
  EXPECT_NEAR(level(map, "L1").latency.at(0).estimate.value, 32.5, 0.1);
  EXPECT_NEAR(level(map, "L2").latency.at(0).estimate.value, 268, 1);
  EXPECT_NEAR(level(map, "HBM").latency.at(0).estimate.value, 690, 2);
  EXPECT_TRUE(contains(level(map, "HBM").latency.at(0).note, "one point"));
  EXPECT_EQ(level(map, "L1").capacity.found_bytes, 0);
  EXPECT_TRUE(contains(level(map, "L1").status, "no bandwidth")) << level(map, "L1").status;
}

TEST(Map, ignores_that_small_streams_read_low) {
  std::vector<core::Measurement> run;
  for (const std::int64_t bytes : sweep(kKiB, 1024 * kMiB))
    run.push_back(stream("read", "cg", bytes,
                         bytes < 256 * kKiB   ? 1e12
                         : bytes <= 60 * kMiB ? 9.5e12
                                              : 4.5e12));
  const map::MemoryMap map = map_of(run);
  EXPECT_TRUE(map.unexplained.empty()) << map.unexplained.front();
  EXPECT_EQ(level(map, "L2").capacity.found_bytes, 48 * kMiB);
}

TEST(Map, says_what_became_of_a_level_whose_points_were_skipped) {
  auto run = full_run();
  for (core::Measurement& one : run) {
    if (!one.point.has("footprint") || one.point.number("footprint") < 120 * kMiB) continue;
    one.status = core::Status::skipped;
    one.reason = "memory taken by others";
    one.repetitions.clear();
    one.summary.clear();
  }
  const std::string status = level(map_of(run), "HBM").status;
  EXPECT_EQ(status.find("skipped: memory taken by others"), 0U) << status;
}

}  // namespace
