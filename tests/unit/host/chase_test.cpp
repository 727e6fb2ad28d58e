#include "host/chase.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace {

const std::byte* hop(const std::byte* at) { return *reinterpret_cast<std::byte* const*>(at); }

TEST(Chase, in_memory_ends_where_the_chain_predicts) {
  std::vector<std::byte> memory(64 * 1000 + 64);
  auto* base = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
  const host::Chase chase = host::lay_chase(base, 64 * 1000, 1000, 42);
  const std::byte* at = chase.after(0);
  for (std::uint64_t hops = 0; hops <= 2500; ++hops) {
    ASSERT_EQ(at, chase.after(hops));
    at = hop(at);
  }
}

TEST(Chase, over_every_line_visits_each_once_and_returns) {
  std::vector<std::byte> memory(64 * 257);
  const host::Chase chase = host::lay_chase(memory.data(), memory.size(), 257, 9);
  std::set<const std::byte*> visited;
  const std::byte* at = chase.after(0);
  for (int hops = 0; hops < 257; ++hops) {
    EXPECT_EQ((at - memory.data()) % 64, 0);
    visited.insert(at);
    at = hop(at);
  }
  EXPECT_EQ(at, chase.after(0));
  EXPECT_EQ(visited.size(), 257u);
  EXPECT_EQ(*visited.begin(), memory.data());
  EXPECT_EQ(*visited.rbegin(), memory.data() + 64 * 256);
}

TEST(Chase, of_fewer_nodes_than_lines_spans_the_footprint) {
  constexpr std::uint32_t kLines = 1003;
  constexpr std::uint32_t kNodes = 100;
  std::vector<std::byte> memory(64 * kLines);
  const host::Chase chase = host::lay_chase(memory.data(), memory.size(), kNodes, 3);
  EXPECT_EQ(chase.visit.size(), kNodes);
  const std::byte* at = chase.after(0);
  std::set<std::ptrdiff_t> tenths;
  for (std::uint32_t hops = 0; hops < kNodes; ++hops) {
    tenths.insert((at - memory.data()) * 10 / static_cast<std::ptrdiff_t>(memory.size()));
    at = hop(at);
    EXPECT_EQ(at == chase.after(0), hops + 1 == kNodes);
  }
  EXPECT_EQ(tenths.size(), 10u);
}

TEST(Chase, depends_on_its_seed) {
  std::vector<std::byte> memory(64 * 100);
  const auto visit = [&](std::uint64_t seed) {
    return host::lay_chase(memory.data(), memory.size(), 100, seed).visit;
  };
  EXPECT_EQ(visit(1), visit(1));
  EXPECT_NE(visit(1), visit(2));
}

TEST(Chase, that_cannot_be_is_refused) {
  std::vector<std::byte> memory(64 * 4);
  EXPECT_THROW(host::lay_chase(memory.data(), memory.size(), 5, 1), std::invalid_argument);
  EXPECT_THROW(host::lay_chase(memory.data(), memory.size(), 0, 1), std::invalid_argument);
}

}  // namespace
