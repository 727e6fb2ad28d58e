#include "cuda/stream_run.hpp"

#include <gtest/gtest.h>

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

TEST(StreamTiming, counts_the_bytes_of_a_pass_over_the_median_pass) {
  const cuda::StreamTiming timing{.pass_ns = {1000, 4000, 2000}, .pass_bytes = 8000};
  EXPECT_DOUBLE_EQ(timing.bytes_per_s(), 4e9);
}

TEST(Streams, are_from_memory_from_four_times_the_l2_on) {
  const core::Capacities capacities{{"l2", 60 * kMiB}};
  EXPECT_EQ(cuda::too_small_for_memory(240 * kMiB, capacities), "");
  EXPECT_EQ(cuda::too_small_for_memory(239 * kMiB, capacities),
            "239 MiB are no stream from memory here: 240 MiB or more, 4 x the L2");
}

}  // namespace
