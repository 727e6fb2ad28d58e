#include "host/sysfs.hpp"

#include <gtest/gtest.h>

#include "folder.hpp"

namespace {

TEST(Sizes, of_the_kernel_are_parsed_into_bytes) {
  EXPECT_EQ(host::parse_size("32K"), 32 * 1024);
  EXPECT_EQ(host::parse_size("1024K"), 1 << 20);
  EXPECT_EQ(host::parse_size("8M"), 8 << 20);
  EXPECT_EQ(host::parse_size("2G"), std::int64_t{2} << 30);
  EXPECT_EQ(host::parse_size("24684084 kB"), std::int64_t{24684084} * 1024);
  EXPECT_EQ(host::parse_size("512"), 512);
}

TEST(Sizes, that_are_none_are_refused) {
  for (const char* text :
       {"", "K", "-1K", "1x", "1.5M", "99999999999999999999", "9223372036854775807K"})
    EXPECT_EQ(host::parse_size(text), std::nullopt) << text;
}

TEST(Tables, keep_the_first_value_of_a_key) {
  const host_test::Folder root;
  root.write("table", "model name\t: A : B\nno colon\nmodel name : C\nempty :");
  const auto table = host::read_table(root.path() / "table");
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(table.at("model name"), "A : B");
  EXPECT_EQ(table.at("empty"), "");
}

TEST(Lines, of_a_missing_file_are_nothing) {
  EXPECT_EQ(host::read_line("/no/such/file"), std::nullopt);
  EXPECT_TRUE(host::read_table("/no/such/file").empty());
}

}  // namespace
