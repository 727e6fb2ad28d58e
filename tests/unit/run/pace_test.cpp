#include "run/pace.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "run/utc.hpp"

namespace {

TEST(Pace, believes_the_plan_before_anything_was_measured) {
  EXPECT_DOUBLE_EQ(run::Pace(60).remaining_seconds(), 60);
}

TEST(Pace, scales_what_is_left_by_what_was_seen) {
  run::Pace pace(100);
  for (int i = 0; i < 50; ++i) pace.measured(1, 3);
  EXPECT_NEAR(pace.remaining_seconds(), 150, 6);  // 50 left, three times as slow as planned
}

TEST(Pace, is_not_thrown_by_one_slow_first_point) {
  run::Pace pace(100);
  pace.measured(0.1, 2);
  EXPECT_LT(pace.remaining_seconds(), 250);  // 2000 by this point alone
}

TEST(Pace, ends_at_nothing_and_drops_what_is_not_measured) {
  run::Pace pace(3);
  pace.measured(1, 1);
  pace.dropped(1);
  EXPECT_NEAR(pace.remaining_seconds(), 1, 1e-9);
  pace.measured(1, 1);
  EXPECT_EQ(pace.remaining_seconds(), 0);
}

TEST(Pace, counts_work_without_a_stated_cost) {
  EXPECT_GT(run::Pace::countable(0), 0);
  EXPECT_GT(run::Pace::countable(-5), 0);
  EXPECT_EQ(run::Pace::countable(std::numeric_limits<double>::quiet_NaN()),
            run::Pace::countable(0));
  EXPECT_EQ(run::Pace::countable(2.5), 2.5);
}

TEST(Utc, is_iso_8601_with_milliseconds) {
  using namespace std::chrono;
  const sys_days day = 2031y / February / 3;
  EXPECT_EQ(run::iso8601_utc(day + 4h + 5min + 6s + 7ms), "2031-02-03T04:05:06.007Z");
}

}  // namespace
