#include "config/values.hpp"

#include <limits>

#include "support.hpp"

namespace {

using config::parse_decimal;
using config::parse_integer;
using config::parse_seed;
using config::parse_share;
using config::parse_size;
using config::parse_time_ns;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

config::Parsed<config::Share> share(std::string_view text, std::string_view unit = "bytes",
                                    std::int64_t multiple_of = 1) {
  const core::Capacities capacities{{"l2", 1000}, {"sm_count", 132}};
  config::Relative relative;
  EXPECT_TRUE(config::is_relative(text, relative));
  return parse_share(relative, unit, multiple_of, capacities);
}

}  // namespace

TEST(Sizes, in_binary_and_decimal_units_are_bytes) {
  EXPECT_EQ(parse_size("1536").value, 1536);
  EXPECT_EQ(parse_size("7B").value, 7);
  EXPECT_EQ(parse_size("64KiB").value, 65536);
  EXPECT_EQ(parse_size("1.5KiB").value, 1536);
  EXPECT_EQ(parse_size("1.50 MiB").value, 1572864);
  EXPECT_EQ(parse_size("3GiB").value, 3221225472);
  EXPECT_EQ(parse_size("2TiB").value, 2199023255552);
  EXPECT_EQ(parse_size("1kB").value, 1000);
  EXPECT_EQ(parse_size("1.3kB").value, 1300);
  EXPECT_EQ(parse_size("2MB").value, 2'000'000);
  EXPECT_EQ(parse_size("141GB").value, 141'000'000'000);
  EXPECT_EQ(parse_size("0.001kB").value, 1);
}

TEST(Sizes, that_are_no_whole_number_of_bytes_are_refused_with_both_neighbours) {
  EXPECT_EQ(parse_size("1.3KiB").mistake,
            "\"1.3KiB\" is no whole number of bytes; write 1331B or 1332B");
  EXPECT_EQ(parse_size("1.5").mistake, "\"1.5\" is no whole number of bytes; write 1B or 2B");
  EXPECT_EQ(parse_size("0.1B").mistake, "\"0.1B\" is no whole number of bytes; write 1B");
  EXPECT_EQ(parse_size("0.0000001KiB").mistake,
            "\"0.0000001KiB\" is no whole number of bytes; write 1B");
}

TEST(Sizes, below_zero_are_refused) {
  EXPECT_EQ(parse_size("-4KiB").mistake, "\"-4KiB\" is negative; write bytes like 64KiB");
}

TEST(Sizes, that_overflow_are_refused_and_the_largest_is_not) {
  EXPECT_EQ(parse_size("9223372036854775807").value, kLargest);
  for (const char* text : {"9223372036854775808", "8388608TiB", "16777216TiB", "99999999999TiB",
                           "999999999999999999999999TiB", "18446744073709551616",
                           "1000000000000000000000000000000000000000000"})
    EXPECT_EQ(parse_size(text).mistake,
              std::string("\"") + text + "\" is too large; at most 9223372036854775807B");
}

TEST(Sizes, with_an_unknown_unit_are_refused_with_the_nearest) {
  EXPECT_EQ(parse_size("4kib").mistake,
            "\"4kib\" has unknown unit \"kib\"; did you mean \"KiB\"? allowed: B, KiB, MiB, GiB, "
            "TiB, kB, MB, GB, TB");
  EXPECT_EQ(parse_size("4 x").mistake.substr(0, 27), "\"4 x\" has unknown unit \"x\";");
}

TEST(Sizes, in_no_form_of_a_size_are_refused) {
  for (const char* text : {"", "KiB", "1.KiB", ".5KiB", "010KiB", "0x10", "1e3", "1,5KiB", "+1KiB",
                           "1 2KiB", "nan", "inf", "1.2.3KiB", "1_000"})
    EXPECT_FALSE(parse_size(text)) << text;
}

TEST(Integers, are_decimal_and_whole) {
  EXPECT_EQ(parse_integer("0").value, 0);
  EXPECT_EQ(parse_integer("-1").value, -1);
  EXPECT_EQ(parse_integer("9223372036854775807").value, kLargest);
  EXPECT_EQ(parse_integer("-9223372036854775808").value, kSmallest);
  EXPECT_EQ(parse_integer("9223372036854775808").mistake,
            "\"9223372036854775808\" is out of range; -9223372036854775808 to "
            "9223372036854775807");
  EXPECT_EQ(parse_integer("010").mistake, "\"010\" has a leading zero; write it without");
  EXPECT_EQ(parse_integer("1.5").mistake, "\"1.5\" is no whole number; write it like 4");
  for (const char* text : {"", "-", "+1", "0x10", "1e3", "1_000", " 1", "1 ", "yes", "--1", "-01"})
    EXPECT_FALSE(parse_integer(text)) << text;
}

TEST(Seeds, take_all_of_64_bits_and_no_sign) {
  EXPECT_EQ(parse_seed("18446744073709551615").value, std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(parse_seed("18446744073709551616"));
  EXPECT_EQ(parse_seed("-1").mistake, "\"-1\" is out of range; 0 to 18446744073709551615");
}

TEST(Decimals, are_read_and_written_back_to_the_same_value) {
  for (const char* text : {"0", "0.5", "2", "0.000000001", "999999.999999999", "1000000", "3.25"})
    EXPECT_EQ(config::format_decimal(parse_decimal(text).value), text);
  for (const char* text :
       {"", "-1", "1e3", "1000000.1", "0.0000000001", "1.", ".5", "2min", "nan", "inf"})
    EXPECT_FALSE(parse_decimal(text)) << text;
}

TEST(Times, are_nanoseconds) {
  EXPECT_EQ(parse_time_ns("250").value, 250);
  EXPECT_EQ(parse_time_ns("1.5us").value, 1500);
  EXPECT_EQ(parse_time_ns("10 ms").value, 10'000'000);
  EXPECT_EQ(parse_time_ns("2s").value, 2'000'000'000);
  EXPECT_EQ(parse_time_ns("1min").value, 60'000'000'000);
  EXPECT_EQ(parse_time_ns("0.5ns").mistake,
            "\"0.5ns\" is no whole number of nanoseconds; write "
            "1ns");
  EXPECT_FALSE(parse_time_ns("-1s"));
  EXPECT_FALSE(parse_time_ns("1h"));
  EXPECT_FALSE(parse_time_ns("9223372037s"));
}

TEST(Shares, of_a_capacity_are_exact_and_rounded_down_to_the_multiple) {
  EXPECT_EQ(share("0.4 x l2").value.value, 400);
  EXPECT_EQ(share("0.4 x l2", "bytes", 128).value.value, 384);
  EXPECT_EQ(share("4 x l2").value.value, 4000);
  EXPECT_EQ(share("0.3333 x l2").value.value, 333);
  EXPECT_EQ(share("2 x sm_count", "count").value.value, 264);
}

TEST(Shares, of_an_unknown_capacity_are_refused_with_the_nearest) {
  EXPECT_EQ(share("0.4 x l5").mistake,
            "\"0.4 x l5\" names unknown capacity \"l5\"; did you mean \"l1\"? allowed: l1, "
            "l1_total, l2, l3, shared, memory, free_memory, sm_count");
  EXPECT_TRUE(support::has(share("0.9 x free_memry").mistake, "did you mean \"free_memory\"?"));
}

TEST(Shares, of_a_capacity_that_the_device_does_not_state_say_so) {
  EXPECT_TRUE(share("4 x l3").value.not_stated);
  EXPECT_EQ(share("4 x l3").mistake, "this device states no l3");
  EXPECT_FALSE(share("4 x l5").value.not_stated);
}

TEST(Shares, of_another_unit_than_the_axis_are_refused) {
  EXPECT_EQ(share("4 x sm_count").mistake, "\"4 x sm_count\" is a count, but the axis is in bytes");
  EXPECT_EQ(share("4 x l2", "count").mistake, "\"4 x l2\" is in bytes, but the axis is in count");
}

TEST(Shares, that_are_no_share_overflow_or_are_negative_are_refused) {
  EXPECT_FALSE(share("-1 x l2"));
  EXPECT_FALSE(share("a x l2"));
  EXPECT_FALSE(share("1KiB x l2"));
  EXPECT_FALSE(share("999999999999999999 x l2"));
  EXPECT_FALSE(share("9999999999999999999999999999 x l2"));
  config::Relative relative;
  EXPECT_FALSE(config::is_relative("0x10", relative));
  EXPECT_FALSE(config::is_relative("4x l2", relative));
}
