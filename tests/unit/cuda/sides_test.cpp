#include "cuda/sides.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "core/chain.hpp"

namespace {

constexpr std::size_t kLines = 64;

// A device as it was seen: SMs of two sides in no order, lines at home by chance, and a first read that
// crosses when the home's own side wrote and the other reads.
struct Device {
  std::vector<std::uint32_t> smids;
  std::vector<int> side;
  std::vector<int> home;

  explicit Device(std::uint64_t seed, std::size_t sms = 132) {
    core::Random random(seed);
    for (std::uint32_t sm = 0; sm < sms; ++sm) {
      smids.push_back(sm);
      side.push_back(sm == 0 ? 0 : static_cast<int>(random.below(2)));
    }
    for (std::size_t line = 0; line < kLines; ++line)
      home.push_back(static_cast<int>(random.below(2)));
  }

  cuda::LineReads reads_after(int writer, double crossing, std::uint64_t seed) const {
    core::Random random(seed);
    cuda::LineReads reads{.smids = smids, .lines = kLines};
    for (const int reader : side)
      for (const int line_home : home) {
        const double later = 250 + std::floor(60 * random.uniform());
        const bool is_far = line_home == writer && reader != writer;
        const double odd = random.uniform() < 0.001 ? 900 : 0;  // an interrupted access
        reads.later.push_back(later);
        reads.first.push_back(later + std::floor(3 * random.uniform()) - 1 + odd +
                              (is_far ? crossing + std::floor(40 * random.uniform()) : 0));
      }
    return reads;
  }

  cuda::Sides found_in(const cuda::LineReads& reads) const {
    cuda::Sides sides{.smids = smids, .side = std::vector<int>(smids.size(), 0)};
    if (const auto modes = cuda::crossings(reads)) {
      sides.partitions = 2;
      sides.threshold = modes->threshold;
      sides.side = cuda::beyond(reads, modes->threshold);
    }
    return sides;
  }
};

TEST(Sides, and_homes_are_those_that_the_reads_were_made_of) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Device device(seed);
    const std::array<cuda::LineReads, 2> reads{device.reads_after(0, 150, 2 * seed),
                                               device.reads_after(1, 150, 2 * seed + 1)};
    const cuda::Sides sides = device.found_in(reads[0]);
    ASSERT_EQ(sides.partitions, 2) << seed;
    EXPECT_EQ(sides.side, device.side) << seed;
    const auto homes = cuda::homes_in(sides, reads);
    EXPECT_EQ(homes, device.home) << seed;
    EXPECT_GT(cuda::agreement(sides, homes, reads), 0.995);
  }
}

TEST(Sides, of_a_cache_in_one_piece_are_one) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Device device(seed);
    EXPECT_EQ(device.found_in(device.reads_after(0, -20, seed)).partitions, 1) << seed;
  }
}

TEST(Sides, that_do_not_explain_the_reads_do_not_agree_with_them) {
  const Device device(1);
  std::array<cuda::LineReads, 2> reads{device.reads_after(0, 150, 1),
                                       device.reads_after(1, 150, 2)};
  const cuda::Sides sides = device.found_in(reads[0]);
  const auto homes = cuda::homes_in(sides, reads);
  core::Random random(3);
  for (double& first : reads[1].first) first += random.below(2) != 0 ? 150 : 0;
  EXPECT_LT(cuda::agreement(sides, homes, reads), 0.9);
}

TEST(Sides, leave_a_line_without_home_that_is_far_after_both_writes_or_after_none) {
  const Device device(4);
  std::array<cuda::LineReads, 2> reads{device.reads_after(0, 150, 1),
                                       device.reads_after(1, 150, 2)};
  const cuda::Sides sides = device.found_in(reads[0]);
  for (std::size_t row = 0; row < reads[0].smids.size(); ++row)
    for (const std::size_t writer : {0, 1}) {
      reads[writer].first[row * kLines] = reads[writer].later[row * kLines] + 170;
      reads[writer].first[row * kLines + 1] = reads[writer].later[row * kLines + 1];
    }
  const auto homes = cuda::homes_in(sides, reads);
  EXPECT_EQ(homes[0], cuda::kNoSide);
  EXPECT_EQ(homes[1], cuda::kNoSide);
  EXPECT_EQ(homes[2], device.home[2]);
}

TEST(Sides, are_looked_up_by_smid) {
  const cuda::Sides sides{.partitions = 2, .smids = {0, 1, 4}, .side = {0, 1, 0}};
  EXPECT_EQ(sides.by_smid(), (std::vector<std::int8_t>{0, 1, cuda::kNoSide, cuda::kNoSide, 0}));
  EXPECT_EQ(sides.count(0), 2U);
  EXPECT_EQ(sides.first_of(1), 1U);
}

TEST(Sides, are_pretended_in_a_context_cut_short_alone) {
  cuda::Context context;
  cuda::Sides sides{.smids = {0, 1, 2}, .side = {0, 0, 0}};
  cuda::pretend_two(context, sides);
  EXPECT_EQ(sides.partitions, 1);
  context.run_cycles = 1e4;
  cuda::pretend_two(context, sides);
  EXPECT_EQ(sides.partitions, 2);
  EXPECT_TRUE(sides.pretended);
}

TEST(ScatteredLines, are_distinct_and_none_is_the_first_of_a_page) {
  const auto lines = cuda::scatter_lines(nullptr, 3, 3 * (cuda::kLinesPerPage - 1), 1);
  EXPECT_EQ(lines.pages,
            (std::vector<std::uint32_t>{0, cuda::kLinesPerPage, 2 * cuda::kLinesPerPage}));
  const std::set<std::uint32_t> distinct(lines.lines.begin(), lines.lines.end());
  EXPECT_EQ(distinct.size(), lines.lines.size());
  EXPECT_LT(*distinct.rbegin(), 3 * cuda::kLinesPerPage);
  for (const std::uint32_t line : lines.lines) EXPECT_NE(line % cuda::kLinesPerPage, 0U);
}

TEST(WordOfLine, is_never_all_ones_and_differs_from_write_to_write) {
  for (std::uint32_t line = 0; line < 100000; ++line) {
    EXPECT_NE(cuda::word_of_line(line, 0), ~0U);
    EXPECT_NE(cuda::word_of_line(line, 0), cuda::word_of_line(line, 1));
  }
}

}  // namespace
