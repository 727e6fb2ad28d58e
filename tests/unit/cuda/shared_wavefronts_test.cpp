#include "cuda/shared_wavefronts.hpp"

#include <gtest/gtest.h>

namespace {

int of_stride(std::int64_t stride, std::int64_t width_bytes) {
  return cuda::wavefronts(cuda::strided(stride, width_bytes), width_bytes);
}

TEST(SharedWavefronts, of_neighbouring_elements_are_the_bytes_over_128) {
  EXPECT_EQ(of_stride(1, 4), 1);
  EXPECT_EQ(of_stride(1, 8), 2);
  EXPECT_EQ(of_stride(1, 16), 4);
}

TEST(SharedWavefronts, of_a_stride_are_its_common_divisor_with_the_banks) {
  for (const auto& [stride, ways] : {std::pair{2, 2},
                                     {3, 1},
                                     {4, 4},
                                     {6, 2},
                                     {12, 4},
                                     {16, 16},
                                     {31, 1},
                                     {32, 32},
                                     {33, 1},
                                     {64, 32}})
    EXPECT_EQ(of_stride(stride, 4), ways) << stride;
}

TEST(SharedWavefronts, of_one_word_for_all_lanes_are_one_whatever_the_width) {
  for (const int width : {4, 8, 16}) EXPECT_EQ(of_stride(0, width), 1) << width;
}

TEST(SharedWavefronts, of_a_broadcast_are_served_no_faster_than_registers_are_written) {
  for (const auto& [width, cycles] : {std::pair{4, 1}, {8, 1}, {16, 2}})
    EXPECT_EQ(cuda::saturated_cycles(cuda::strided(0, width), width), cycles) << width;
  EXPECT_EQ(cuda::saturated_cycles(cuda::strided(1, 16), 16), 4);
}

TEST(SharedWavefronts, of_wide_strides_add_up_over_halves_and_quarters) {
  EXPECT_EQ(of_stride(2, 8), 4);
  EXPECT_EQ(of_stride(3, 8), 2);
  EXPECT_EQ(of_stride(16, 8), 32);
  EXPECT_EQ(of_stride(2, 16), 8);
  EXPECT_EQ(of_stride(8, 16), 32);
}

TEST(SharedWavefronts, of_chosen_ways_are_these_ways_in_each_phase) {
  for (const int width : {4, 8, 16})
    for (int ways = 1; ways <= cuda::lanes_a_phase(width); ++ways)
      EXPECT_EQ(cuda::wavefronts(cuda::conflicting(ways, width), width), ways * width / 4)
          << ways << " ways of " << width;
}

TEST(SharedWavefronts, of_chosen_ways_have_every_lane_at_an_element_of_its_own) {
  for (const int width : {4, 8, 16})
    for (int ways = 1; ways <= cuda::lanes_a_phase(width); ++ways) {
      const auto offsets = cuda::conflicting(ways, width);
      for (std::size_t a = 0; a < std::size(offsets.of_lane); ++a) {
        EXPECT_EQ(offsets.of_lane[a] % static_cast<std::uint32_t>(width), 0U);
        for (std::size_t b = 0; b < a; ++b)
          EXPECT_NE(offsets.of_lane[a], offsets.of_lane[b]) << ways << " " << width;
      }
    }
}

}  // namespace
