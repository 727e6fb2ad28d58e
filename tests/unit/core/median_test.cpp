#include "core/median.hpp"

#include <gtest/gtest.h>

namespace {

using Values = std::vector<double>;

TEST(Median, is_the_middle_or_the_mean_of_the_middle_two) {
  EXPECT_EQ(core::median(Values{5, 1, 3}), 3);
  EXPECT_EQ(core::median(Values{4, 1, 3, 10}), 3.5);
  EXPECT_EQ(core::median(Values{7}), 7);
  EXPECT_EQ(core::median(Values{9, 8, 7, 6, 5, 4}), 6.5);
}

TEST(Median, of_nothing_is_no_number) { EXPECT_TRUE(std::isnan(core::median({}))); }

TEST(Median, leaves_its_values_in_their_order) {
  const Values values{3, 1, 2};
  core::median(values);
  EXPECT_EQ(values, (Values{3, 1, 2}));
}

}  // namespace
