#include "cuda/device_chain.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

constexpr std::uint64_t kUnroll = 16;

TEST(ChasePlan, of_a_lap_walks_every_node_in_the_timed_windows_and_warms_before_them) {
  for (const std::uint64_t nodes : {1U, 8U, 100U, 32'768U, 32'769U, 1'000'000U}) {
    const cuda::WindowPlan plan = cuda::chase_plan(nodes, kUnroll, false);
    EXPECT_GE(plan.pairs * (plan.short_operations + plan.long_operations), nodes) << nodes;
    EXPECT_GE(plan.warm_operations, nodes) << nodes;
    EXPECT_EQ(plan.short_operations % kUnroll, 0U) << nodes;
    EXPECT_EQ(plan.long_operations % kUnroll, 0U) << nodes;
    EXPECT_EQ(plan.warm_operations % kUnroll, 0U) << nodes;
    EXPECT_GT(plan.long_operations, plan.short_operations) << nodes;
  }
}

TEST(ChasePlan, of_a_sparse_chain_meets_no_line_twice) {
  const std::uint64_t nodes = 1 << 20;
  const cuda::WindowPlan plan = cuda::chase_plan(nodes, kUnroll, true);
  EXPECT_EQ(plan.warm_operations, 0U);
  EXPECT_GT(plan.short_operations, 0U);
  EXPECT_LE(plan.pairs * (plan.short_operations + plan.long_operations), nodes);
}

TEST(Chain, is_sparse_above_four_times_a_known_cache) {
  EXPECT_FALSE(cuda::is_sparse(400, 100));
  EXPECT_TRUE(cuda::is_sparse(401, 100));
  EXPECT_FALSE(cuda::is_sparse(401, 0));
}

TEST(Chain, ends_on_the_same_line_by_address_and_by_index) {
  std::byte* const base = reinterpret_cast<std::byte*>(std::uintptr_t{0x10000});
  const cuda::DeviceChain chain{.base = base, .visit = {2, 0, 1}};
  EXPECT_EQ(chain.start(), 0x10000U + 2 * cuda::kLineBytes);
  for (const std::uint64_t hops : {0U, 1U, 2U, 3U, 7U}) {
    const std::uint64_t line = (chain.address_after(hops) - 0x10000U) / cuda::kLineBytes;
    EXPECT_EQ(line, chain.visit[hops % 3]);
    EXPECT_EQ(chain.word_after(hops), line * cuda::kWordsPerLine + cuda::kIndexWord);
  }
}

TEST(Chain, has_an_index_for_the_last_word_that_it_may_hold) {
  const std::uint64_t lines = cuda::kIndexableBytes / cuda::kLineBytes;
  const cuda::DeviceChain chain{.base = nullptr, .visit = {static_cast<std::uint32_t>(lines - 1)}};
  EXPECT_EQ(chain.word_after(0), 0xffffffffU - cuda::kWordsPerLine + 1 + cuda::kIndexWord);
}

}  // namespace
