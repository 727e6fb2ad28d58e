#include "core/axis.hpp"

#include <gtest/gtest.h>

namespace {

using core::AxisValue;

AxisValue number(std::int64_t value) { return value; }
AxisValue word(const char* value) { return std::string(value); }

TEST(WordAxis, allows_its_words_and_names_them_otherwise) {
  const core::Axis axis{.name = "operator", .unit = "", .meaning = "", .words = {"ca", "cg"}};
  EXPECT_TRUE(axis.takes_words());
  EXPECT_EQ(axis.refuse(word("ca")), "");
  EXPECT_EQ(axis.refuse(word("cg")), "");
  EXPECT_EQ(axis.refuse(word("cv")), "cv is not allowed; ca, cg");
  EXPECT_EQ(axis.refuse(word("")), " is not allowed; ca, cg");
  EXPECT_EQ(axis.refuse(number(3)), "3 is not allowed; ca, cg");
}

TEST(NumberAxis, allows_its_range_and_names_it_otherwise) {
  const core::Axis axis{.name = "ways", .unit = "count", .meaning = "", .min = 1, .max = 32};
  EXPECT_FALSE(axis.takes_words());
  EXPECT_EQ(axis.refuse(number(1)), "");
  EXPECT_EQ(axis.refuse(number(32)), "");
  EXPECT_EQ(axis.refuse(number(33)), "33 is not allowed; 1 to 32");
  EXPECT_EQ(axis.refuse(number(0)), "0 is not allowed; 1 to 32");
  EXPECT_EQ(axis.refuse(number(-5)), "-5 is not allowed; 1 to 32");
  EXPECT_EQ(axis.refuse(word("many")), "many is not a number");
}

TEST(NumberAxis, without_a_maximum_names_its_minimum) {
  const core::Axis axis{.name = "footprint", .unit = "bytes", .meaning = "", .min = 1024};
  EXPECT_EQ(axis.refuse(number(std::int64_t{1} << 60)), "");
  EXPECT_EQ(axis.refuse(number(1023)), "1023 is not allowed; 1024 or more");
}

TEST(NumberAxis, of_multiples_names_what_of) {
  const core::Axis axis{
      .name = "footprint", .unit = "bytes", .meaning = "", .min = 1024, .multiple_of = 128};
  EXPECT_EQ(axis.refuse(number(1024 + 128)), "");
  EXPECT_EQ(axis.refuse(number(1024 + 64)), "1088 is not allowed; a multiple of 128");
}

TEST(NumberAxis, of_listed_numbers_names_them) {
  const core::Axis axis{
      .name = "width", .unit = "bytes", .meaning = "", .allowed = {4, 8, 16}, .max = 64};
  EXPECT_EQ(axis.refuse(number(8)), "");
  EXPECT_EQ(axis.refuse(number(12)), "12 is not allowed; 4, 8, 16");
  EXPECT_EQ(axis.refuse(number(32)), "32 is not allowed; 4, 8, 16");
}

TEST(AxisValues, are_written_as_in_ids) {
  EXPECT_EQ(core::to_string(number(-7)), "-7");
  EXPECT_EQ(core::to_string(word("read")), "read");
}

}  // namespace
