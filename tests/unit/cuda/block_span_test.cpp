#include "cuda/block_span.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/error.hpp"

namespace {

using cuda::BlockSpan;

// Two SMs whose cycle counters have nothing to do with each other; the second block of SM 5 runs on after the first.
const std::vector<BlockSpan> kBlocks = {
    {.start = {100, 1000}, .stop = {2100, 2000}, .smid = 5, .block = 0},
    {.start = {110, 1005}, .stop = {2200, 2050}, .smid = 5, .block = 1},
    {.start = {900'000, 1010}, .stop = {901'900, 1960}, .smid = 2, .block = 2},
};

TEST(GridSpan, is_from_the_earliest_start_to_the_latest_stop_of_the_global_timer) {
  EXPECT_DOUBLE_EQ(cuda::grid_span(kBlocks).ns, 2050 - 1000);
}

TEST(GridSpan, never_compares_the_clocks_of_two_sms) {
  const cuda::GridSpan span = cuda::grid_span(kBlocks);
  EXPECT_EQ(span.sm_cycles, (std::vector<double>{1900, 2100}));
  EXPECT_EQ(span.sm_blocks, (std::vector<double>{1, 2}));
  EXPECT_EQ(span.sm_ids, (std::vector<double>{2, 5}));
}

TEST(GridSpan, takes_the_clock_of_the_block_that_ran_longest) {
  EXPECT_DOUBLE_EQ(cuda::grid_span(kBlocks).clock.hertz(), 2090.0 / 1045 * 1e9);
}

TEST(GridSpan, of_no_block_or_of_a_clock_that_stood_still_is_refused) {
  EXPECT_THROW(cuda::grid_span({}), core::MeasureError);
  const std::vector<BlockSpan> still = {{.start = {7, 7}, .stop = {7, 9}, .smid = 0, .block = 0}};
  EXPECT_THROW(cuda::grid_span(still), core::MeasureError);
}

}  // namespace
