#include "host/arena.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "host/device_info.hpp"

namespace {

TEST(Arena, places_inside_itself_and_aligned) {
  const host::Arena arena(1 << 20);
  ASSERT_GE(arena.size_bytes(), std::size_t{1} << 20);
  for (int repetition = 0; repetition < 200; ++repetition) {
    const std::byte* place = arena.place(1 << 20, 4096, {.seed = 5, .repetition = repetition});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % 4096, 0u);
    EXPECT_LE(arena.offset_of(place) + (1 << 20), arena.size_bytes());
  }
}

TEST(Arena, places_by_seed_and_repetition_alone) {
  const host::Arena arena(1 << 20);
  const auto offset = [&](std::uint64_t seed, int repetition) {
    return arena.offset_of(arena.place(4096, 4096, {.seed = seed, .repetition = repetition}));
  };
  std::set<std::size_t> offsets;
  for (int repetition = 0; repetition < 10; ++repetition) {
    EXPECT_EQ(offset(1, repetition), offset(1, repetition));
    offsets.insert(offset(1, repetition));
  }
  EXPECT_GT(offsets.size(), 5u);
  EXPECT_NE(offset(1, 0), offset(2, 0));
}

TEST(Arena, skips_a_point_that_does_not_fit) {
  const host::Arena arena(1 << 20);
  EXPECT_THROW(arena.place(arena.size_bytes() + 1, 64, {}), core::SkipError);
  EXPECT_EQ(arena.offset_of(arena.place(arena.size_bytes(), 64, {})), 0u);
  EXPECT_THROW(host::Arena().place(64, 64, {}), core::SkipError);
}

TEST(Arena, above_free_memory_is_refused_before_it_is_touched) {
  const auto free = static_cast<std::size_t>(host::read_memory().free_bytes);
  ASSERT_GT(free, 0u);
  try {
    const host::Arena arena(free + (std::size_t{1} << 30));
    FAIL() << "an arena above free memory was granted";
  } catch (const core::UnavailableError& error) {
    EXPECT_NE(std::string(error.what()).find("is free"), std::string::npos);
  }
}

TEST(Arena, records_its_pages_and_moves) {
  host::Arena first(8 << 20);
  EXPECT_FALSE(first.page_policy().empty());
  EXPECT_LE(first.huge_page_bytes(), first.size_bytes());
  const std::size_t size = first.size_bytes();
  const host::Arena second = std::move(first);
  EXPECT_EQ(second.size_bytes(), size);
  *second.place(1, 1, {}) = std::byte{7};
}

}  // namespace
