#include "cuda/health.hpp"

#include <gtest/gtest.h>

namespace {

using cuda::HealthItem;
using cuda::HealthKind;
using cuda::kUnreadable;

const std::vector<HealthItem> kItems = {{"events", "ns", HealthKind::counter},
                                        {"clock", "hertz", HealthKind::gauge},
                                        {"reasons", "mask", HealthKind::mask}};

TEST(HealthDelta, subtracts_counters_takes_the_last_gauge_and_joins_masks) {
  const auto delta = cuda::health_delta(kItems, std::vector<double>{100, 1.9e9, 1},
                                        std::vector<double>{350, 1.7e9, 4});
  EXPECT_EQ(delta, (std::vector<core::Quantity>{
                       {"events", "ns", 250}, {"clock", "hertz", 1.7e9}, {"reasons", "mask", 5}}));
}

TEST(HealthDelta, of_a_counter_that_was_reset_is_left_out) {
  const auto delta =
      cuda::health_delta(kItems, std::vector<double>{100, 1, 0}, std::vector<double>{99, 1, 0});
  EXPECT_EQ(core::find(delta, "events", "ns"), nullptr);
  EXPECT_EQ(delta.size(), 2U);
}

TEST(HealthDelta, leaves_out_what_was_unreadable_at_the_end_that_matters) {
  const auto delta = cuda::health_delta(kItems, std::vector<double>{kUnreadable, kUnreadable, 1},
                                        std::vector<double>{5, 1.5e9, kUnreadable});
  EXPECT_EQ(delta, (std::vector<core::Quantity>{{"clock", "hertz", 1.5e9}}));
}

TEST(EventReasons, are_named_by_bit_and_unknown_bits_keep_their_number) {
  EXPECT_EQ(cuda::event_reason_names(0x1 | 0x4 | 0x40 | 0x1000),
            (std::vector<std::string>{"idle", "power_cap", "hw_thermal_slowdown", "bit_12"}));
  EXPECT_TRUE(cuda::event_reason_names(0).empty());
}

TEST(MovedEventFields, follow_the_driver_and_are_not_guessed) {
  const std::vector<unsigned> old_ids = {251, 252, 253};
  const std::vector<unsigned> new_ids = {269, 270, 271};
  EXPECT_EQ(cuda::moved_event_fields("575.51.03"), old_ids);
  EXPECT_EQ(cuda::moved_event_fields("580.65.06"), old_ids);
  EXPECT_EQ(cuda::moved_event_fields("580.82.07"), new_ids);
  EXPECT_EQ(cuda::moved_event_fields("590.44.01"), new_ids);
  for (const char* const unknown : {"570.86.10", "535.104.05", "580.70.01", "580", ""}) {
    EXPECT_TRUE(cuda::moved_event_fields(unknown).empty()) << unknown;
  }
}

}  // namespace
