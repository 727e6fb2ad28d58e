#include "core/units.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

TEST(Bytes, are_read_in_the_largest_unit_that_keeps_them_above_one) {
  EXPECT_EQ(core::format_bytes(0), "0 B");
  EXPECT_EQ(core::format_bytes(1), "1 B");
  EXPECT_EQ(core::format_bytes(1023), "1023 B");
  EXPECT_EQ(core::format_bytes(1024), "1 KiB");
  EXPECT_EQ(core::format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(core::format_bytes(1 << 20), "1 MiB");
  EXPECT_EQ(core::format_bytes(std::int64_t{50} << 20), "50 MiB");
  EXPECT_EQ(core::format_bytes(std::int64_t{141} << 30), "141 GiB");
  EXPECT_EQ(core::format_bytes(std::int64_t{5} << 50), "5120 TiB");
}

TEST(Bytes, keep_three_digits_and_no_trailing_zeros) {
  EXPECT_EQ(core::format_bytes(1126), "1.1 KiB");
  EXPECT_EQ(core::format_bytes(1331), "1.3 KiB");
  EXPECT_EQ(core::format_bytes(123456), "121 KiB");
  EXPECT_EQ(core::format_bytes(12595), "12.3 KiB");
  EXPECT_EQ(core::format_bytes(-1536), "-1.5 KiB");
}

TEST(Values, are_read_in_the_unit_that_a_person_expects) {
  EXPECT_EQ(core::format_value(4.48e12, core::unit::kBytesPerSecond), "4480 GB/s");
  EXPECT_EQ(core::format_value(32.96, core::unit::kCycles), "33.0 cycles");
  EXPECT_EQ(core::format_value(1.085, core::unit::kNanoseconds), "1.08 ns");
  EXPECT_EQ(core::format_value(127.9, core::unit::kBytesPerCyclePerSm), "128 B/clk/SM");
  EXPECT_EQ(core::format_value(128, core::unit::kOperationsPerCyclePerSm), "128 lanes/clk/SM");
  EXPECT_EQ(core::format_value(2.5e9, core::unit::kOperationsPerSecond), "2.50 Gop/s");
  EXPECT_EQ(core::format_value(1.98e9, core::unit::kHertz), "1980 MHz");
  EXPECT_EQ(core::format_value(1536, core::unit::kBytes), "1.5 KiB");
  EXPECT_EQ(core::format_value(75, core::unit::kSeconds), "1 min 15 s");
  EXPECT_EQ(core::format_value(3, core::unit::kCount), "3.00 count");
}

TEST(Values, at_the_edge_of_a_digit_do_not_gain_one) {
  EXPECT_EQ(core::format_value(9.994, "cycles"), "9.99 cycles");
  EXPECT_EQ(core::format_value(9.996, "cycles"), "10.0 cycles");
  EXPECT_EQ(core::format_value(99.94, "cycles"), "99.9 cycles");
  EXPECT_EQ(core::format_value(99.96, "cycles"), "100 cycles");
  EXPECT_EQ(core::format_value(-32.96, "cycles"), "-33.0 cycles");
}

TEST(Values, that_are_no_number_are_a_dash) {
  EXPECT_EQ(core::format_value(std::nan(""), "cycles"), "-");
  EXPECT_EQ(core::format_value(std::numeric_limits<double>::infinity(), "bytes"), "-");
  EXPECT_EQ(core::format_seconds(std::nan("")), "-");
}

TEST(Seconds, are_read_from_microseconds_to_hours) {
  EXPECT_EQ(core::format_seconds(12e-6), "12.0 us");
  EXPECT_EQ(core::format_seconds(0.25), "250 ms");
  EXPECT_EQ(core::format_seconds(1.5), "1.50 s");
  EXPECT_EQ(core::format_seconds(59.9), "59.9 s");
  EXPECT_EQ(core::format_seconds(60), "1 min 0 s");
  EXPECT_EQ(core::format_seconds(3599.6), "1 h 0 min");
  EXPECT_EQ(core::format_seconds(7380), "2 h 3 min");
}

}  // namespace
