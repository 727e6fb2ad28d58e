#include "map/published.hpp"

#include <gtest/gtest.h>

#include <set>

#include "map/published_rows.hpp"

namespace {

using map::DeviceFamily;

const map::Quantity kHbmRead{"level_bandwidth", "HBM", "read", "bytes_per_s"};
const map::Quantity kL1Chase{"level_latency", "L1", "", "cycles"};

TEST(DeviceFamily, is_told_from_the_reported_name) {
  EXPECT_EQ(map::device_family("NVIDIA H200"), DeviceFamily::h200);
  EXPECT_EQ(map::device_family("NVIDIA H100 80GB HBM3"), DeviceFamily::h100);
}

TEST(DeviceFamily, of_other_boards_and_chips_is_none) {
  for (const char* name : {"NVIDIA GH200 480GB", "NVIDIA H100 PCIe", "NVIDIA H100 NVL",
                           "NVIDIA H200 NVL", "NVIDIA A100-SXM4-80GB", "model of 4 levels", ""})
    EXPECT_EQ(map::device_family(name), DeviceFamily::none) << name;
}

TEST(Published, ranges_of_an_h100_are_never_shown_as_those_of_an_h200) {
  EXPECT_EQ(map::expectation(DeviceFamily::h100, kHbmRead)->range.high, 3.25e12);
  EXPECT_EQ(map::expectation(DeviceFamily::h200, kHbmRead)->range.low, 3.85e12);
  for (const map::PublishedRow& row : map::published_rows()) {
    const map::Quantity quantity{std::string(row.answers), std::string(row.level),
                                 std::string(row.operation), std::string(row.unit)};
    const auto of_h200 = map::expectation(DeviceFamily::h200, quantity);
    if (row.answers == map::kCapacity) continue;
    ASSERT_TRUE(of_h200) << row.key;
    if (row.h200.high > 0) {
      EXPECT_EQ(of_h200->range.high, row.h200.high) << row.key;
    } else {
      EXPECT_NE(of_h200->range.source.find("H100"), std::string::npos)
          << row.key << ": a range of H100 says so";
    }
  }
}

TEST(Published, ranges_are_none_for_other_devices) {
  EXPECT_FALSE(map::expectation(DeviceFamily::none, kHbmRead));
  EXPECT_FALSE(map::expected_capacity(DeviceFamily::none, "L1"));
}

TEST(Published, ranges_are_found_for_the_very_quantity_only) {
  EXPECT_EQ(map::expectation(DeviceFamily::h100, kL1Chase)->range.key, "LAT6");
  map::Quantity other = kL1Chase;
  other.unit = "ns";
  EXPECT_FALSE(map::expectation(DeviceFamily::h100, other));
  other = kL1Chase;
  other.operation = "index";
  EXPECT_FALSE(map::expectation(DeviceFamily::h100, other));
}

TEST(Published, rows_are_ranges_with_sources_causes_and_one_meaning_each) {
  std::set<std::string> seen;
  for (const map::PublishedRow& row : map::published_rows()) {
    EXPECT_LT(row.h100.low, row.h100.high) << row.key;
    if (row.h200.high > 0) {
      EXPECT_LT(row.h200.low, row.h200.high) << row.key;
    }
    EXPECT_FALSE(row.source.empty()) << row.key;
    EXPECT_FALSE(row.why_below.empty()) << row.key;
    EXPECT_FALSE(row.why_above.empty()) << row.key;
    std::string identity;
    for (const auto part : {row.answers, row.level, row.operation, row.unit})
      identity += std::string(part) + "|";
    EXPECT_TRUE(seen.insert(identity).second) << identity;
  }
}

TEST(Published, values_outside_get_the_range_and_the_likely_cause) {
  const auto expected = *map::expectation(DeviceFamily::h100, kL1Chase);
  EXPECT_EQ(map::outside(expected, 31), "");
  EXPECT_EQ(map::outside(expected, 36), "");
  EXPECT_NE(map::outside(expected, 30.99), "") << "a hair below is below";
  EXPECT_NE(map::outside(expected, 30.8), "");
  EXPECT_NE(map::outside(expected, 36.01), "");
  const std::string above = map::outside(expected, 39);
  EXPECT_EQ(above.find("above the published 31 to 36 cycles (LAT6): 37 to 42 is an index"), 0U)
      << above;
  EXPECT_EQ(map::outside(expected, 16).find("below the published"), 0U);
}

TEST(Published, capacities_are_in_bytes) {
  EXPECT_EQ(map::expected_capacity(DeviceFamily::h200, "L2")->range.low, 52.0 * 1024 * 1024);
  EXPECT_NE(map::outside(*map::expected_capacity(DeviceFamily::h200, "L1"), 300 * 1024.0), "");
}

}  // namespace
