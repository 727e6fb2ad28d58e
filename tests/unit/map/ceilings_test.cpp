#include "map/ceilings.hpp"

#include <gtest/gtest.h>

#include "synthetic.hpp"

namespace {

using namespace synthetic;

std::string bound(const std::string& cache_operator, std::int64_t bytes) {
  const core::Description device = gpu();  // the level points into it
  const auto* level = map::bounding_level(stream("read", cache_operator, bytes, 1e12), device);
  return level == nullptr ? "none" : level->name;
}

TEST(Ceilings, of_a_stream_are_those_of_the_farthest_level_that_serves_it_with_certainty) {
  EXPECT_EQ(bound("ca", kMiB), "L1");
  EXPECT_EQ(bound("cg", kMiB), "L2");
  EXPECT_EQ(bound("cg", 239 * kMiB), "L2");
  EXPECT_EQ(bound("cg", 240 * kMiB), "HBM");
  EXPECT_EQ(bound("ca", 240 * kMiB), "HBM");
}

TEST(Ceilings, count_a_cache_of_each_sm_as_often_as_there_are_sms) {
  EXPECT_EQ(bound("ca", 4 * kSms * 248 * kKiB - 128), "L1");
  EXPECT_EQ(bound("ca", 4 * kSms * 248 * kKiB), "L2");
}

TEST(Ceilings, of_memory_do_not_apply_where_no_cache_is_known) {
  core::Description bare = gpu();
  std::erase_if(bare.levels,
                [](const auto& level) { return level.name == "L1" || level.name == "L2"; });
  EXPECT_EQ(map::bounding_level(stream("read", "cg", 1024 * kMiB, 1e12), bare), nullptr);
}

TEST(Ceilings, do_not_bound_a_latency) {
  EXPECT_EQ(map::bounding_level(chase("ca", kMiB, 30), gpu()), nullptr);
}

TEST(Ceilings, that_are_not_known_are_none) {
  const core::Description description = gpu();
  EXPECT_FALSE(map::ceiling_of(description.levels[3], "bytes_per_s"));
  EXPECT_FALSE(map::ceiling_of(description.levels[4], "cycles"));
  EXPECT_EQ(map::ceiling_of(description.levels[4], "bytes_per_s")->value, 4.814e12);
}

}  // namespace
