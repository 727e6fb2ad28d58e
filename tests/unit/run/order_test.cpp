#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fake_backend.hpp"

namespace {

using Pairs = std::vector<std::pair<std::size_t, int>>;

TEST(Order, holds_every_point_once_in_each_round_and_rounds_follow_each_other) {
  const Pairs order = run::order(run_test::tasks(20, 3), 1);
  ASSERT_EQ(order.size(), 60u);
  for (int round = 0; round < 3; ++round) {
    std::set<std::size_t> points;
    for (int k = 0; k < 20; ++k) {
      EXPECT_EQ(order[20 * round + k].second, round);
      points.insert(order[20 * round + k].first);
    }
    EXPECT_EQ(points.size(), 20u);
    EXPECT_EQ(*points.rbegin(), 19u);
  }
}

TEST(Order, is_the_same_for_one_seed_and_another_for_another) {
  const auto tasks = run_test::tasks(20, 3);
  EXPECT_EQ(run::order(tasks, 5), run::order(tasks, 5));
  EXPECT_NE(run::order(tasks, 5), run::order(tasks, 6));
}

TEST(Order, is_recorded_here_so_that_a_seed_means_the_same_on_every_platform) {
  // By an implementation of SplitMix64, FNV-1a and the shuffle in another language.
  EXPECT_EQ(run::order(run_test::tasks(4, 2), 2),
            (Pairs{{1, 0}, {2, 0}, {0, 0}, {3, 0}, {2, 1}, {3, 1}, {1, 1}, {0, 1}}));
}

TEST(Order, is_shuffled_anew_in_every_round_and_not_the_order_of_the_plan) {
  const Pairs order = run::order(run_test::tasks(20, 3), 1);
  std::vector<std::vector<std::size_t>> rounds(3);
  for (const auto& [point, round] : order) rounds[round].push_back(point);
  for (const auto& round : rounds) EXPECT_FALSE(std::ranges::is_sorted(round));
  EXPECT_NE(rounds[0], rounds[1]);
  EXPECT_NE(rounds[1], rounds[2]);
}

TEST(Order, puts_every_point_at_every_place_about_equally_often) {
  std::vector<int> first(4);
  for (std::uint64_t seed = 0; seed < 4000; ++seed)
    ++first[run::order(run_test::tasks(4, 1), seed).front().first];
  for (const int count : first) EXPECT_NEAR(count, 1000, 130);  // 4.7 standard deviations
}

TEST(Order, gives_points_their_own_number_of_repetitions_and_leaves_skipped_ones_out) {
  auto tasks = run_test::tasks(3, 1);
  tasks[1].repetitions = 3;
  tasks[2].skip_reason = "not here";
  Pairs order = run::order(tasks, 1);
  std::ranges::sort(order);
  EXPECT_EQ(order, (Pairs{{0, 0}, {1, 0}, {1, 1}, {1, 2}}));
}

}  // namespace
