#include "cuda/residency.hpp"

#include <gtest/gtest.h>

namespace {

constexpr cuda::SmResources kHopper{.threads = 2048,
                                    .blocks = 32,
                                    .registers = 65536,
                                    .shared_bytes = 233472,
                                    .reserved_shared_bytes = 1024};

int blocks(int threads, int registers, std::size_t shared_bytes) {
  return cuda::residency_limits(kHopper, {threads, registers, shared_bytes}).blocks();
}

TEST(Residency, of_small_blocks_is_limited_by_the_number_of_blocks) {
  EXPECT_EQ(blocks(32, 16, 0), 32);
  EXPECT_EQ(blocks(64, 32, 0), 32);
}

TEST(Residency, of_large_blocks_is_limited_by_threads) {
  EXPECT_EQ(blocks(1024, 32, 0), 2);
  EXPECT_EQ(blocks(768, 16, 0), 2);
  EXPECT_EQ(blocks(250, 16, 0), 8) << "threads come by warps";
}

TEST(Residency, is_limited_by_registers_in_units_of_eight_a_thread) {
  EXPECT_EQ(blocks(256, 64, 0), 4);
  EXPECT_EQ(blocks(256, 65, 0), 3) << "72 each";
  EXPECT_EQ(blocks(256, 128, 0), 2);
  EXPECT_EQ(blocks(256, 255, 0), 1);
  EXPECT_EQ(blocks(1024, 128, 0), 0);
}

TEST(Residency, counts_the_registers_of_each_quarter_of_the_sm) {
  // 16384 registers a quarter hold 3 warps of 168 x 32, 12 in all: one block of 8 warps, not 1.5.
  EXPECT_EQ(cuda::residency_limits(kHopper, {256, 168, 0}).by_registers, 1);
  EXPECT_EQ(cuda::residency_limits(kHopper, {32, 168, 0}).by_registers, 12);
}

TEST(Residency, is_limited_by_shared_memory_with_what_the_system_keeps) {
  EXPECT_EQ(blocks(128, 32, 232448), 1);
  EXPECT_EQ(blocks(128, 32, 116736), 1) << "twice 114 KiB and a kibibyte each is more than 228 KiB";
  EXPECT_EQ(blocks(128, 32, 115712), 2);
  EXPECT_EQ(blocks(128, 32, 16384), 13);
}

TEST(Residency, names_every_limit) {
  const auto limits = cuda::residency_limits(kHopper, {256, 64, 49152});
  EXPECT_EQ(limits.by_registers, 4);
  EXPECT_EQ(limits.by_shared, 4);
  EXPECT_EQ(limits.by_threads, 8);
  EXPECT_EQ(limits.by_blocks, 32);
}

}  // namespace
