#include "host/arrays.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "host/windows.hpp"

namespace {

TEST(Arrays, of_a_triad_stand_beside_each_other_poisoned_and_filled) {
  std::vector<std::uint64_t> memory(2 * 3 * 16, 1);
  auto* base = reinterpret_cast<std::byte*>(memory.data());
  const auto all = host::lay_arrays(base, {.writes = 1, .reads = 2, .of_doubles = true}, 128, 2, 7);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].to.data(), memory.data());
  EXPECT_EQ(all[0].from.data(), memory.data() + 16);
  EXPECT_EQ(all[0].other.data(), memory.data() + 32);
  EXPECT_EQ(all[1].to.data(), memory.data() + 48);
  for (const host::Arrays& arrays : all) {
    EXPECT_EQ(arrays.other.size(), 16u);
    for (const std::uint64_t word : arrays.to) EXPECT_EQ(word, host::kPoison);
    for (const std::uint64_t word : arrays.from) {
      EXPECT_GE(std::bit_cast<double>(word), 0);
      EXPECT_LT(std::bit_cast<double>(word), 1);
    }
  }
  EXPECT_NE(all[0].from[0], all[1].from[0]);
  EXPECT_NE(all[0].from[0], all[0].other[0]);
}

TEST(Arrays, that_an_operation_lacks_are_empty) {
  std::vector<std::uint64_t> memory(16);
  auto* base = reinterpret_cast<std::byte*>(memory.data());
  const auto read = host::lay_arrays(base, {.writes = 0, .reads = 1}, 128, 1, 7);
  EXPECT_TRUE(read[0].to.empty());
  EXPECT_EQ(read[0].from.size(), 16u);
  EXPECT_TRUE(read[0].slice(64, 64).to.empty());
  EXPECT_EQ(read[0].slice(64, 64).from.data(), memory.data() + 8);
  EXPECT_EQ(read[0].slice(64, 64).from.size(), 8u);
}

core::Verdict verdict_after(const std::function<void(host::Words)>& write) {
  std::vector<std::uint64_t> memory(64);
  auto* base = reinterpret_cast<std::byte*>(memory.data());
  const auto all = host::lay_arrays(base, {.writes = 1, .reads = 0}, 512, 1, 7);
  write(all[0].to);
  return host::check_written(all, [](const auto&, std::size_t index) { return 100 + index; })
      .verdict;
}

TEST(PoisonCheck, passes_when_every_element_is_written) {
  EXPECT_EQ(verdict_after([](host::Words to) {
              for (std::size_t i = 0; i < to.size(); ++i) to[i] = 100 + i;
            }),
            core::Verdict::pass);
}

TEST(PoisonCheck, fails_when_the_writer_skips_any_one_element) {
  for (std::size_t skipped = 0; skipped < 64; ++skipped)
    EXPECT_EQ(verdict_after([&](host::Words to) {
                for (std::size_t i = 0; i < to.size(); ++i)
                  if (i != skipped) to[i] = 100 + i;
              }),
              core::Verdict::fail);
}

TEST(PoisonCheck, fails_when_nothing_is_checked_and_says_how_much_is_poison) {
  EXPECT_EQ(host::Written{}.check().verdict, core::Verdict::fail);
  host::Written written;
  written.add(host::kPoison, 5);
  written.add(6, 5);
  written.add(5, 5);
  EXPECT_EQ(written.wrong, 2u);
  EXPECT_EQ(written.poisoned, 1u);
  EXPECT_EQ(written.check().detail, "1 of 3 words hold what was to be written, 1 still the poison");
}

TEST(StreamPlan, cuts_an_array_into_slices_that_tile_it) {
  for (const std::size_t lines : {1u, 3u, 511u, 4096u, 1u << 17, (1u << 20) + 7}) {
    const host::StreamPlan plan = host::plan_stream(lines * 64, 3);
    std::size_t next = 0;
    for (int window = 0; window < plan.slices; ++window) {
      EXPECT_EQ(plan.slice_begin(window), next);
      EXPECT_EQ(plan.slice_bytes(window) % 64, 0u);
      EXPECT_GT(plan.slice_bytes(window), 0u);
      next += plan.slice_bytes(window);
      EXPECT_EQ(plan.slice_bytes(window + plan.slices), plan.slice_bytes(window));
    }
    EXPECT_EQ(next, lines * 64);
    EXPECT_GE(plan.rounds, 2);  // one warms
    EXPECT_GE(plan.count() - plan.slices, 15);
    EXPECT_TRUE(plan.slices == 1 || plan.passes == 1);
  }
}

TEST(StreamPlan, keeps_windows_long_and_large_ones_short) {
  EXPECT_EQ(host::plan_stream(4096, 1).passes, 2048);
  EXPECT_EQ(host::plan_stream(std::size_t{256} << 20, 1).slices, 32);
  EXPECT_EQ(host::plan_stream(std::size_t{256} << 20, 1).rounds, 2);
}

}  // namespace
