#include "report/text_layout.hpp"

#include <gtest/gtest.h>

using Lines = std::vector<std::string>;

TEST(Wrap, breaks_at_spaces_and_never_inside_a_number) {
  EXPECT_EQ(report::wrap("one two  three", 8), (Lines{"one two", "three"}));
  EXPECT_EQ(report::wrap("1234567890 12", 4), (Lines{"1234567890", "12"}));
  EXPECT_EQ(report::wrap("", 4), Lines{""});
}

TEST(Wrap, breaks_a_long_id_after_a_slash) {
  EXPECT_EQ(report::wrap("at latency/global/footprint_bytes:1024: why", 24),
            (Lines{"at latency/global/", "footprint_bytes:1024:", "why"}));
}

TEST(Width, counts_characters) {
  EXPECT_EQ(report::width("\u00b5\u2192a"), 3u);
  EXPECT_EQ(report::pad_left("\u00b5s", 4), "  \u00b5s");
  EXPECT_EQ(report::pad_right("abc", 2), "abc");
}

TEST(Pack, keeps_phrases_whole) {
  EXPECT_EQ(report::pack({"10 cycles", "", "5 ns", "1 GB/s"}, 16),
            (Lines{"10 cycles   5 ns", "1 GB/s"}));
}
