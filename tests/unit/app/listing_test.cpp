#include "app/listing.hpp"

#include <gtest/gtest.h>

namespace app {
namespace {

core::ProbeSpec spec() {
  core::ProbeSpec spec{.name = "latency/global",
                       .answers = "level_latency",
                       .question = "How far is it?",
                       .method = "a chase"};
  spec.axes = {{.name = "operator",
                .unit = "",
                .meaning = "cache operator",
                .words = {"ca", "cg"},
                .automatic = {"ca", "cg"}},
               {.name = "footprint",
                .unit = "bytes",
                .meaning = "bytes walked",
                .min = 1024,
                .multiple_of = 128,
                .automatic = {"1KiB", "2KiB", "4KiB", "8KiB", "16KiB", "32KiB", "64KiB", "0.4 x l2",
                              "4 x l2"}},
               {.name = "width",
                .unit = "bytes",
                .meaning = "of a load",
                .allowed = {4, 8, 16},
                .automatic = {"16"}}};
  return spec;
}

TEST(List, tells_question_method_axes_allowed_values_and_auto) {
  const std::string text = probe_text(spec());
  for (const char* part :
       {"latency/global", "How far is it?", "a chase", "cache operator", "allowed: ca cg",
        "footprint [bytes]", "allowed: 1 KiB or more, a multiple of 128 B",
        "auto: 1KiB, 2KiB, ... 4 x l2 (9 values)", "allowed: 4 8 16", "auto: 16"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

config::PlannedPoint planned(std::int64_t footprint_bytes, int stanza) {
  return {
      .point = {.probe = "latency/global", .settings = {{"footprint", "bytes", footprint_bytes}}},
      .repetitions = 5,
      .cost = {.memory_bytes = footprint_bytes, .moved_bytes = 100, .seconds = 0.1},
      .stanza = stanza};
}

class DryRunText : public testing::Test {
 protected:
  DryRunText() {
    config_.stanzas.resize(2);
    config_.stanzas[0].probe = "latency/global";
    config_.stanzas[1].probe = "bandwidth/global";
    plan_.points = {planned(1024, 0), planned(1 << 20, 0), planned(4096, 1)};
  }
  config::Config config_;
  config::Plan plan_;
};

TEST_F(DryRunText, adds_up_points_bytes_and_time_of_every_stanza) {
  const std::string text = dry_run_text(
      config_, plan_, {.configuration = "a.yaml", .device = "a GPU", .driver_seconds = 0.3});
  EXPECT_NE(
      text.find(
          "1       latency/global               2        0            5       1000 B       1.00 s"),
      std::string::npos)
      << text;
  EXPECT_NE(
      text.find(
          "total                                3        0            5     1.46 KiB       1.50 s"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("memory: 1 MiB at once"), std::string::npos) << text;
  EXPECT_NE(text.find("driver and device, taken and given back, apart from that: 300 ms"),
            std::string::npos)
      << text;
}

TEST_F(DryRunText, counts_a_skipped_point_apart_and_gives_its_reason) {
  plan_.points[1].skip_reason = "needs more memory";
  const std::string text = dry_run_text(
      config_, plan_, {.configuration = "a.yaml", .device = "an H200, assumed", .assumed = true});
  EXPECT_NE(text.find("skipped: 1 point: needs more memory"), std::string::npos) << text;
  EXPECT_NE(text.find("memory: 4 KiB at once"), std::string::npos) << text;
  EXPECT_EQ(text.find("driver and device"), std::string::npos) << text;
}

TEST_F(DryRunText, repeats_the_notes_of_the_plan_and_the_warnings) {
  plan_.notes = {"5 repetitions became 3"};
  const std::string text = dry_run_text(
      config_, plan_,
      {.configuration = "a.yaml", .device = "a GPU", .warnings = {"made for another"}});
  EXPECT_NE(text.find("note: 5 repetitions became 3"), std::string::npos) << text;
  EXPECT_NE(text.find("warning: made for another"), std::string::npos) << text;
}

}  // namespace
}  // namespace app
