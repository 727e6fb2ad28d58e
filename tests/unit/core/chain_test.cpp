#include "core/chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>

namespace {

// Golden values: recordings are only comparable while the generator never changes. The first five
// are those that the generator's author publishes for this seed; the others come from an
// independent implementation.
TEST(Random, gives_the_published_sequence) {
  core::Random random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
        4593380528125082431ULL, 16408922859458223821ULL})
    EXPECT_EQ(random.next(), expected);
}

TEST(Random, below_a_bound_gives_the_pinned_sequence) {
  core::Random random(42);
  for (const std::uint64_t expected : {741, 159, 278, 344, 38, 868, 218, 800})
    EXPECT_EQ(random.below(1000), expected);
}

TEST(Random, uniform_gives_the_pinned_sequence) {
  core::Random random(7);
  for (const double expected : {0.3898297483912715, 0.01678829452815611, 0.9007606806068834})
    EXPECT_EQ(random.uniform(), expected);
}

TEST(Random, below_one_is_zero_and_below_a_bound_stays_below_it) {
  core::Random random(3);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(random.below(1), 0u);
    EXPECT_LT(random.below(7), 7u);
    EXPECT_LT(random.below(~std::uint64_t{0}), ~std::uint64_t{0});
  }
}

// At this bound a product without rejection gives residue 0 twice as often as the others, and a
// plain remainder gives the lowest third twice as often.
TEST(Random, below_is_unbiased_where_shortcuts_are_not) {
  constexpr std::uint64_t kBound = std::uint64_t{3} << 62;
  constexpr int kDraws = 30'000;
  core::Random random(5);
  std::array<int, 3> residues{};
  std::array<int, 3> thirds{};
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t value = random.below(kBound);
    ++residues[value % 3];
    ++thirds[value >> 62];
  }
  for (const int count : residues) EXPECT_NEAR(count, kDraws / 3, 500);  // six standard deviations
  for (const int count : thirds) EXPECT_NEAR(count, kDraws / 3, 500);
}

// To the last digits only as far as every C library agrees on a logarithm and a cosine.
TEST(Random, normal_gives_the_pinned_sequence) {
  core::Random random(11);
  for (const double expected : {-0.06767644169287002, -1.4250432791837673, -0.5692085430525957})
    EXPECT_NEAR(random.normal(), expected, 1e-12);
}

TEST(Random, normal_has_mean_zero_and_deviation_one) {
  core::Random random(11);
  constexpr int kDraws = 40'000;
  double sum = 0;
  double squares = 0;
  int within_one = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
    within_one += std::abs(value) < 1 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.03);
  EXPECT_NEAR(squares / kDraws, 1, 0.05);
  EXPECT_NEAR(static_cast<double>(within_one) / kDraws, 0.6827, 0.015);
}

TEST(Seeds, are_mixed_to_the_pinned_values) {
  EXPECT_EQ(core::mix_seed(1, std::uint64_t{2}), 10886421083288259782ULL);
  EXPECT_EQ(core::mix_seed(1, "latency/global/footprint_bytes:4096"), 437363425186609159ULL);
  EXPECT_EQ(core::mix_seed(1, ""), 6976244260502570966ULL);
}

TEST(Seeds, that_differ_anywhere_mix_to_different_seeds) {
  std::set<std::uint64_t> mixed;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (std::uint64_t value = 0; value < 50; ++value) mixed.insert(core::mix_seed(seed, value));
  EXPECT_EQ(mixed.size(), 2500u);
  EXPECT_NE(core::mix_seed(1, "ab"), core::mix_seed(1, "ba"));
}

TEST(Cycle, is_the_pinned_one) {
  EXPECT_EQ(core::random_cycle(16, 2026),
            (std::vector<std::uint32_t>{5, 10, 15, 0, 3, 9, 1, 2, 14, 11, 7, 13, 4, 8, 6, 12}));
}

TEST(Cycle, is_one_through_all_nodes_for_every_size_and_seed) {
  for (std::uint32_t nodes = 1; nodes <= 200; ++nodes)
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      ASSERT_EQ(core::cycle_length(core::random_cycle(nodes, seed), 0), nodes) << seed;
  for (const std::uint32_t nodes : {4096u, 65537u, 1u << 20})
    EXPECT_EQ(core::cycle_length(core::random_cycle(nodes, 1), nodes / 2), nodes);
}

// Three nodes have two cycles; a generator of permutations that are no cycles would have six.
TEST(Cycle, is_drawn_evenly_from_all_cycles) {
  int first = 0;
  constexpr int kDraws = 4000;
  for (int seed = 0; seed < kDraws; ++seed)
    first += core::random_cycle(3, static_cast<std::uint64_t>(seed))[0] == 1 ? 1 : 0;
  EXPECT_NEAR(first, kDraws / 2, 200);
}

TEST(Cycle, of_no_nodes_is_refused) {
  EXPECT_THROW(core::random_cycle(0, 1), std::invalid_argument);
}

TEST(CycleLength, of_a_chain_that_falls_apart_is_that_of_the_part) {
  const std::vector<std::uint32_t> two_parts{1, 0, 3, 4, 2};
  EXPECT_EQ(core::cycle_length(two_parts, 0), 2u);
  EXPECT_EQ(core::cycle_length(two_parts, 2), 3u);
  const std::vector<std::uint32_t> never_back{1, 2, 1};
  EXPECT_GT(core::cycle_length(never_back, 0), never_back.size());  // and it ends
}

TEST(Follow, ends_where_single_hops_end) {
  const std::vector<std::uint32_t> next = core::random_cycle(101, 8);
  std::uint32_t at = 17;
  for (std::uint64_t hops = 0; hops < 300; ++hops) {
    ASSERT_EQ(core::follow(next, 17, hops), at);
    at = next[at];
  }
  EXPECT_EQ(core::follow(next, 17, 101), 17u);
}

TEST(Visit, of_all_lines_meets_each_once_in_random_order) {
  for (const std::uint32_t lines : {1u, 2u, 3u, 64u, 1000u}) {
    std::vector<std::uint32_t> visit = core::random_visit(lines, lines, 4);
    EXPECT_TRUE(core::visits_each_once(visit, lines));
    if (lines >= 64) {
      EXPECT_FALSE(std::ranges::is_sorted(visit));
    }
    std::ranges::sort(visit);
    for (std::uint32_t line = 0; line < lines; ++line) EXPECT_EQ(visit[line], line);
  }
}

TEST(Visit, of_some_lines_takes_one_at_random_of_every_part) {
  constexpr std::uint32_t kLines = 1003;
  constexpr std::uint32_t kNodes = 100;
  std::vector<std::uint32_t> visit = core::random_visit(kLines, kNodes, 9);
  ASSERT_EQ(visit.size(), kNodes);
  std::ranges::sort(visit);
  int at_the_start = 0;
  for (std::uint32_t part = 0; part < kNodes; ++part) {
    EXPECT_GE(visit[part], part * kLines / kNodes);
    EXPECT_LT(visit[part], (part + 1) * kLines / kNodes);
    at_the_start += visit[part] == part * kLines / kNodes ? 1 : 0;
  }
  EXPECT_LT(at_the_start, 30);  // one in ten by chance
}

TEST(Visit, that_cannot_be_is_refused) {
  EXPECT_THROW(core::random_visit(4, 5, 1), std::invalid_argument);
  EXPECT_THROW(core::random_visit(4, 0, 1), std::invalid_argument);
}

TEST(Visit, that_meets_a_line_twice_or_leaves_the_lines_is_found) {
  EXPECT_TRUE(core::visits_each_once(std::vector<std::uint32_t>{2, 0, 1}, 3));
  EXPECT_FALSE(core::visits_each_once(std::vector<std::uint32_t>{2, 0, 2}, 3));
  EXPECT_FALSE(core::visits_each_once(std::vector<std::uint32_t>{2, 0, 3}, 3));
}

}  // namespace
