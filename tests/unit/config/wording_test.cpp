#include "config/wording.hpp"

#include <gtest/gtest.h>

namespace {
const std::vector<std::string> kKeys = {"backend", "seed", "stanzas", "repetitions"};
}

TEST(Suggestion, is_the_word_one_slip_away) {
  EXPECT_EQ(config::nearest("sed", kKeys), "seed");
  EXPECT_EQ(config::nearest("seeed", kKeys), "seed");
  EXPECT_EQ(config::nearest("sede", kKeys), "seed");
  // Neighbours swapped: two replacements would be too far for so short a word.
  EXPECT_EQ(config::nearest("ac", std::vector<std::string>{"cg", "ca"}), "ca");
  EXPECT_EQ(config::nearest("bakcend", kKeys), "backend");
  EXPECT_EQ(config::nearest("repetition", kKeys), "repetitions");
}

TEST(Suggestion, is_none_when_no_word_is_near) {
  EXPECT_EQ(config::nearest("footprint", kKeys), "");
  EXPECT_EQ(config::nearest("", kKeys), "");
  EXPECT_EQ(config::nearest(std::string(100'000, 's'), kKeys), "");
}

TEST(Suggestion, always_comes_with_what_is_allowed) {
  EXPECT_EQ(config::suggestion("zzzzzz", kKeys), "allowed: backend, seed, stanzas, repetitions");
}

TEST(Quotes, cut_a_long_text_between_characters) {
  EXPECT_EQ(config::quote("short"), "\"short\"");
  EXPECT_EQ(config::quote(std::string(59, 'a') + "ß" + "b"), "\"" + std::string(59, 'a') + "...\"");
}
