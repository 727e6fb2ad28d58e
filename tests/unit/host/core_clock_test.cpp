#include "host/core_clock.hpp"

#include <gtest/gtest.h>

#include "host/timer.hpp"

namespace {

TEST(CoreClock, is_one_of_a_real_core) {
  const core::Clock clock = host::measure_core_clock();
  EXPECT_GT(clock.hertz(), 0.4e9);
  EXPECT_LT(clock.hertz(), 8e9);  // additions left out or overlapping read higher
  EXPECT_FALSE(clock.method.empty());
}

TEST(CoreClock, of_two_calibrations_is_joined_by_cycles_and_time) {
  const core::Clock clock = host::joined({.cycles = 300, .ns = 100, .method = "m"},
                                         {.cycles = 100, .ns = 100, .method = "m"});
  EXPECT_DOUBLE_EQ(clock.hertz(), 2e9);
  EXPECT_EQ(clock.method, "m");
}

TEST(WarmUp, ends_in_time_and_says_whether_it_is_steady) {
  const host::WarmUp warm = host::warm_until_steady(1);
  EXPECT_LT(warm.seconds, 2);
  EXPECT_GT(warm.clock.hertz(), 0.4e9);
  if (warm.steady) {
    EXPECT_LE(warm.spread, 0.005);
  }
  const host::WarmUp none = host::warm_until_steady(0);
  EXPECT_FALSE(none.steady);
}

TEST(Timer, advances_and_knows_its_resolution) {
  const host::TimerInfo info = host::measure_timer();
  EXPECT_GE(info.resolution_ns, 1);
  EXPECT_LT(info.resolution_ns, 1e6);
  EXPECT_GT(info.read_ns, 0);
  const std::int64_t start = host::now_ns();
  while (host::now_ns() == start) {
  }
  EXPECT_GT(host::now_ns(), start);
}

}  // namespace
