#include "core/point.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace {

const core::Point kPoint{
    "latency/global",
    {{"operator", "", std::string("ca")}, {"footprint", "bytes", std::int64_t{1024}}}};

std::string what_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::out_of_range& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(PointId, is_probe_then_axes_in_their_order_with_units) {
  EXPECT_EQ(kPoint.id(), "latency/global/operator:ca/footprint_bytes:1024");
  EXPECT_EQ((core::Point{"overhead/clock", {}}.id()), "overhead/clock");
  core::Point other = kPoint;
  std::swap(other.settings[0], other.settings[1]);
  EXPECT_EQ(other.id(), "latency/global/footprint_bytes:1024/operator:ca");
}

TEST(Point, gives_the_values_of_its_axes) {
  EXPECT_EQ(kPoint.number("footprint"), 1024);
  EXPECT_EQ(kPoint.word("operator"), "ca");
  EXPECT_TRUE(kPoint.has("operator"));
  EXPECT_FALSE(kPoint.has("width"));
}

TEST(Point, asked_for_an_axis_that_it_lacks_names_probe_and_axis) {
  for (const std::string& what :
       {what_of([] { kPoint.number("width"); }), what_of([] { kPoint.word("width"); })}) {
    EXPECT_NE(what.find("latency/global"), std::string::npos) << what;
    EXPECT_NE(what.find("'width'"), std::string::npos) << what;
  }
}

TEST(Point, does_not_give_a_word_as_a_number_nor_a_number_as_a_word) {
  EXPECT_THROW(kPoint.number("operator"), std::out_of_range);
  EXPECT_THROW(kPoint.word("footprint"), std::out_of_range);
}

}  // namespace
