#include "core/kind.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "core/probe_spec.hpp"

namespace {

using core::Kind;

TEST(Kinds, have_the_names_of_their_folders) {
  EXPECT_EQ(core::to_string(Kind::latency), "latency");
  EXPECT_EQ(core::to_string(Kind::bandwidth), "bandwidth");
  EXPECT_EQ(core::to_string(Kind::pattern), "pattern");
  EXPECT_EQ(core::to_string(Kind::reuse), "reuse");
  EXPECT_EQ(core::to_string(Kind::hiding), "hiding");
  EXPECT_EQ(core::to_string(Kind::overhead), "overhead");
}

TEST(Kinds, are_found_by_name_and_nothing_else) {
  for (const Kind kind :
       {Kind::latency, Kind::bandwidth, Kind::pattern, Kind::reuse, Kind::hiding, Kind::overhead})
    EXPECT_EQ(core::kind_from(core::to_string(kind)), kind);
  EXPECT_EQ(core::kind_from("Latency"), std::nullopt);
  EXPECT_EQ(core::kind_from(""), std::nullopt);
}

TEST(Kinds, of_a_probe_are_its_folder) {
  EXPECT_EQ(core::kind_of_probe("overhead/clock"), Kind::overhead);
  const core::ProbeSpec spec{
      .name = "bandwidth/global", .answers = "", .question = "", .method = ""};
  EXPECT_EQ(spec.kind(), Kind::bandwidth);
}

TEST(Kinds, of_what_is_no_probe_name_are_refused_naming_it) {
  for (const char* name : {"clock", "latency", "latency/", "/global", "speed/global", ""}) {
    try {
      core::kind_of_probe(name);
      FAIL() << name << " was taken for a probe";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("'" + std::string(name) + "'"), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("overhead"), std::string::npos);
    }
  }
}

}  // namespace
