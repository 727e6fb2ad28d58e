#include "cuda/warm_up.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

TEST(WarmUp, is_steady_when_the_last_windows_agree_whatever_came_before) {
  std::vector<double> hertz = {3.45e8, 1.2e9};
  hertz.insert(hertz.end(), cuda::kSteadyWindows, 1.98e9);
  hertz.back() = 1.983e9;  // 0.15 %
  const auto seen = cuda::judge(hertz, 0.04);
  EXPECT_TRUE(seen.steady);
  EXPECT_EQ(seen.hertz, 1.98e9);
  EXPECT_EQ(cuda::warm_up_text(seen),
            "SM clock steady at 1980.0 MHz after 0.04 s (6 windows of 5 ms within 0.2 %)");
}

TEST(WarmUp, is_not_steady_while_one_of_the_last_windows_differs) {
  std::vector<double> hertz(cuda::kSteadyWindows, 1.98e9);
  hertz.front() = 1.975e9;  // 0.25 %
  const auto seen = cuda::judge(hertz, 2.0);
  EXPECT_FALSE(seen.steady);
  EXPECT_EQ(cuda::warm_up_text(seen),
            "SM clock not steady after 2.00 s: 1975.0 to 1980.0 MHz in the last 6 windows of 5 ms");
}

TEST(WarmUp, is_not_steady_after_too_few_windows) {
  EXPECT_FALSE(cuda::judge(std::vector<double>(cuda::kSteadyWindows - 1, 1.98e9), 0).steady);
  EXPECT_FALSE(cuda::judge({}, 0).steady);
}

}  // namespace
