#include "cuda/arena.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"

namespace {

using cuda::draw_offset;

constexpr std::uintptr_t kBase = 0x7f00'0000'0100;  // no multiple of 4 KiB
constexpr std::size_t kSize = 1 << 20;

TEST(DrawOffset, is_aligned_in_address_and_inside_the_arena) {
  for (const std::size_t alignment : {1UL, 128UL, 4096UL, 65536UL}) {
    for (const std::size_t bytes : {0UL, 1UL, 1000UL, 900'000UL}) {
      for (int repetition = 0; repetition < 50; ++repetition) {
        const std::size_t offset =
            draw_offset(kBase, kSize, bytes, alignment, {.seed = 7, .repetition = repetition});
        EXPECT_EQ((kBase + offset) % alignment, 0U);
        EXPECT_LE(offset + bytes, kSize);
      }
    }
  }
}

TEST(DrawOffset, moves_between_repetitions_and_seeds_and_is_repeatable) {
  std::set<std::size_t> seen;
  for (int repetition = 0; repetition < 20; ++repetition) {
    const core::Trial trial{.seed = 7, .repetition = repetition};
    seen.insert(draw_offset(kBase, kSize, 1024, 128, trial));
    EXPECT_EQ(draw_offset(kBase, kSize, 1024, 128, trial),
              draw_offset(kBase, kSize, 1024, 128, trial));
  }
  EXPECT_GT(seen.size(), 15U);
  EXPECT_NE(draw_offset(kBase, kSize, 1024, 128, {.seed = 1}),
            draw_offset(kBase, kSize, 1024, 128, {.seed = 2}));
}

TEST(DrawOffset, reaches_the_first_and_the_last_place) {
  std::set<std::size_t> seen;
  for (int repetition = 0; repetition < 100; ++repetition) {
    seen.insert(draw_offset(0x1000, 1024, 512, 256, {.repetition = repetition}));
  }
  EXPECT_EQ(seen, (std::set<std::size_t>{0, 256, 512}));
}

TEST(DrawOffset, skips_what_does_not_fit_and_refuses_a_crooked_alignment) {
  EXPECT_EQ(draw_offset(0x1000, kSize, kSize, 128, {}), 0U);
  EXPECT_THROW(draw_offset(0x1000, kSize, kSize + 1, 128, {}), core::SkipError);
  EXPECT_THROW(draw_offset(kBase, kSize, kSize, 4096, {}), core::SkipError);
  EXPECT_THROW(draw_offset(kBase, kSize, 1, 96, {}), std::invalid_argument);
  EXPECT_THROW(draw_offset(kBase, kSize, 1, 0, {}), std::invalid_argument);
}

}  // namespace
