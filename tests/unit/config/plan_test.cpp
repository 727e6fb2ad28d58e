#include "config/plan.hpp"

#include <set>

#include "support.hpp"

namespace {

using support::gpu_specs;
using support::h200;
using support::with_stanza;

const std::vector<core::ProbeSpec>& specs() {
  static const std::vector<core::ProbeSpec> all = gpu_specs();
  return all;
}

config::Plan plan_of(const std::string& text, const config::Target& target = h200()) {
  return config::plan(config::read_text(text, "x.yaml"), specs(), target);
}

std::string plan_refusal(const std::string& text, const config::Target& target = h200()) {
  return support::refusal([&] { plan_of(text, target); });
}

std::vector<std::int64_t> footprints(const std::string& choice) {
  std::vector<std::int64_t> all;
  for (const auto& planned : plan_of(with_stanza("operator: cg\n    footprint: " + choice)).points)
    all.push_back(planned.point.number("footprint"));
  return all;
}

std::vector<std::string> ids(const config::Plan& plan) {
  std::vector<std::string> all;
  for (const auto& planned : plan.points) all.push_back(planned.point.id());
  return all;
}

using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST(Plan, is_every_combination_with_the_first_axis_slowest) {
  const auto plan = plan_of(with_stanza("footprint: [2KiB, 1KiB]\n    operator: [cg, ca]"));
  EXPECT_EQ(ids(plan),
            (std::vector<std::string>{"latency/global/operator:cg/footprint_bytes:1024",
                                      "latency/global/operator:cg/footprint_bytes:2048",
                                      "latency/global/operator:ca/footprint_bytes:1024",
                                      "latency/global/operator:ca/footprint_bytes:2048"}));
  EXPECT_EQ(plan.points[0].spec, &specs()[2]);
  EXPECT_EQ(plan.points[0].repetitions, 5);
  EXPECT_EQ(plan.points[0].cost.memory_bytes, 1024);
}

TEST(Plan, takes_auto_and_a_missing_axis_for_what_the_probe_declares) {
  const std::vector<std::string> expected = {"latency/global/operator:ca/footprint_bytes:16384",
                                             "latency/global/operator:ca/footprint_bytes:6291456",
                                             "latency/global/operator:cg/footprint_bytes:16384",
                                             "latency/global/operator:cg/footprint_bytes:6291456"};
  EXPECT_EQ(ids(plan_of(with_stanza("operator: auto\n    footprint: auto"))), expected);
  EXPECT_EQ(ids(plan_of("backend: cuda\nstanzas: [{probe: latency/global}]\n")), expected);
}

TEST(Plan, of_one_repeated_point_measures_it_once_with_the_larger_repetitions) {
  const auto plan = plan_of(
      "backend: cuda\nstanzas:\n"
      "  - {probe: latency/global, operator: ca, footprint: [1KiB, 1024, 1024B]}\n"
      "  - {probe: latency/global, operator: ca, footprint: 1KiB, repetitions: 8}\n"
      "  - {probe: latency/global, operator: ca, footprint: 1KiB, repetitions: 2}\n");
  ASSERT_EQ(plan.points.size(), 1u);
  EXPECT_EQ(plan.points[0].repetitions, 8);
  EXPECT_EQ(plan.points[0].stanza, 0);
}

TEST(Plan, without_a_stanza_is_refused) {
  EXPECT_EQ(plan_refusal("backend: cuda\nstanzas: []\n"),
            "x.yaml: error: stanzas: there is none; a configuration needs one or more");
}

TEST(Plan, with_an_unknown_probe_is_refused_with_the_nearest) {
  EXPECT_TRUE(support::has(
      plan_refusal("backend: cuda\nstanzas:\n  - probe: latency/globl\n"),
      "x.yaml:3:12: error: stanzas[0].probe: unknown probe \"latency/globl\" of backend cuda; "
      "did you mean \"latency/global\"? allowed: latency/register"));
}

TEST(Plan, with_an_axis_that_the_probe_lacks_is_refused_with_the_nearest) {
  EXPECT_EQ(plan_refusal(with_stanza("footprnt: 1KiB")),
            "x.yaml:4:5: error: stanzas[0]: latency/global has no axis \"footprnt\"; did you mean "
            "\"footprint\"? allowed: repetitions, operator, footprint");
}

TEST(Plan, with_values_that_the_axis_refuses_is_refused) {
  const auto refused = [](const std::string& line, const std::string& expected) {
    EXPECT_EQ(plan_refusal(with_stanza(line)), "x.yaml:4:" + expected);
  };
  refused("footprint: 1000",
          "16: error: stanzas[0].footprint: 1000 is not allowed; 1024 to "
          "1099511627776");
  refused("footprint: 1100",
          "16: error: stanzas[0].footprint: 1100 is not allowed; a multiple of "
          "128");
  refused("footprint: [1KiB, 1.3KiB]",
          "23: error: stanzas[0].footprint: \"1.3KiB\" is no whole "
          "number of bytes; write 1331B or 1332B");
  refused("footprint: -4KiB",
          "16: error: stanzas[0].footprint: \"-4KiB\" is negative; write bytes "
          "like 64KiB");
  refused("footprint: 9000000TiB",
          "16: error: stanzas[0].footprint: \"9000000TiB\" is too large; "
          "at most 9223372036854775807B");
  refused("footprint: large",
          "16: error: stanzas[0].footprint: \"large\" does not begin with a "
          "digit; write bytes like 64KiB");
  refused("footprint: 0.000001 x l2",
          "16: error: stanzas[0].footprint: 0 is not allowed; 1024 to "
          "1099511627776");
  refused("operator: [cg, cb]",
          "20: error: stanzas[0].operator: cb is not allowed; ca, cg; did "
          "you mean \"ca\"?");
  refused("operator: {range: [1, 2]}",
          "15: error: stanzas[0].operator: takes words, not a range; ca, cg");
  EXPECT_TRUE(
      support::has(plan_refusal("backend: cuda\nstanzas: [{probe: bandwidth/shared, width: 12}]\n"),
                   "stanzas[0].width: 12 is not allowed; 4, 8, 16"));
}

TEST(Plan, reports_the_mistakes_of_all_stanzas_in_one_pass) {
  const std::string refusal = plan_refusal(
      "backend: cuda\nstanzas:\n"
      "  - {probe: latency/shred}\n"
      "  - {probe: latency/global, operator: xx, footprint: 1000}\n"
      "  - {probe: latency/shared, width: 4}\n");
  for (const char* place : {"x.yaml:3:13: ", "x.yaml:4:39: ", "x.yaml:4:54: ", "x.yaml:5:29: "})
    EXPECT_TRUE(support::has(refusal, place)) << place << "\n" << refusal;
}

TEST(Plan, with_combinations_that_the_probe_refuses_names_the_first_and_counts_the_rest) {
  EXPECT_EQ(plan_refusal("backend: cuda\nstanzas:\n"
                         "  - {probe: bandwidth/global, operation: [read, copy], operator: ca, "
                         "footprint: [1MiB, 2MiB, 4MiB]}\n"),
            "x.yaml:3:5: error: stanzas[0]: "
            "bandwidth/global/operation:copy/operator:ca/footprint_bytes:1048576 and 2 more: "
            "operator ca only reads; cg");
}

TEST(Plan, skips_what_the_probe_cannot_measure_on_this_device_with_its_reason) {
  std::vector<core::ProbeSpec> picky = specs();
  picky[1].skip = [](const core::Point& point, const core::Capacities& capacities) {
    return point.word("method") == "raw" && capacities.get("l2") > 0 ? std::string("no raw here")
                                                                     : std::string();
  };
  const auto config =
      config::read_text("backend: cuda\nstanzas: [{probe: latency/shared}]\n", "x.yaml");
  const auto plan = config::plan(config, picky, h200());
  ASSERT_EQ(plan.points.size(), 2u);
  EXPECT_EQ(plan.points[0].skip_reason, "no raw here");
  EXPECT_EQ(plan.points[1].skip_reason, "");
}

TEST(Memory, above_that_of_the_meant_device_is_an_error) {
  EXPECT_EQ(
      plan_refusal(with_stanza("operator: cg\n    footprint: 200GiB")),
      "x.yaml:3:5: error: stanzas[0]: latency/global/operator:cg/footprint_bytes:214748364800:"
      " needs 200 GiB of memory; 131 GiB is what the device has");
}

TEST(Memory, above_that_of_another_device_skips_the_point) {
  const auto plan = plan_of(with_stanza("operator: cg\n    footprint: [1KiB, 200GiB]"),
                            {.capacities = h200().capacities, .is_the_meant_device = false});
  ASSERT_EQ(plan.points.size(), 2u);
  EXPECT_EQ(plan.points[0].skip_reason, "");
  EXPECT_EQ(plan.points[1].skip_reason, "needs 200 GiB of memory; 131 GiB is what this device has");
}

TEST(Memory, above_what_is_free_skips_the_point) {
  config::Target target = h200();
  target.capacities.set("free_memory", std::int64_t{1} << 30);
  const auto plan = plan_of(with_stanza("operator: cg\n    footprint: [1GiB, 2GiB]"), target);
  ASSERT_EQ(plan.points.size(), 2u);
  EXPECT_EQ(plan.points[0].skip_reason, "");
  EXPECT_EQ(plan.points[1].skip_reason, "needs 2 GiB of memory; 1 GiB is free");
}

TEST(Memory, that_is_not_known_refuses_nothing) {
  EXPECT_EQ(plan_of(with_stanza("operator: cg\n    footprint: 200GiB"), {}).points.size(), 1u);
}

TEST(Ranges, in_octaves_hit_both_ends_and_multiples_between) {
  EXPECT_EQ(footprints("{range: [1KiB, 16KiB], scale: log2}"),
            (Numbers{1024, 2048, 4096, 8192, 16384}));
  EXPECT_EQ(footprints("{range: [1KiB, 4KiB], points_per_octave: 2}"),
            (Numbers{1024, 1408, 2048, 2944, 4096}));
  EXPECT_EQ(footprints("{range: [1KiB, 1KiB]}"), (Numbers{1024}));
  EXPECT_EQ(footprints("{range: [1KiB, 64KiB], points_per_octave: 0.5}"),
            (Numbers{1024, 4096, 16384, 65536}));
}

TEST(Ranges, in_octaves_leave_no_point_just_before_an_end_that_is_no_power) {
  EXPECT_EQ(footprints("{range: [1KiB, 4.5KiB]}"), (Numbers{1024, 2048, 4608}));
  EXPECT_EQ(footprints("{range: [1KiB, 7KiB]}"), (Numbers{1024, 2048, 4096, 7168}));
}

TEST(Ranges, may_end_at_a_share_of_a_capacity) {
  const Numbers all = footprints("{range: [0.5 x l2, 4 x l2]}");
  EXPECT_EQ(all, (Numbers{31457280, 62914560, 125829120, 251658240}));
}

TEST(Ranges, that_are_linear_go_in_steps_and_hit_the_end) {
  EXPECT_EQ(footprints("{range: [1KiB, 2KiB], scale: linear, step: 512}"),
            (Numbers{1024, 1536, 2048}));
}

TEST(Ranges, and_values_in_one_list_are_sorted_and_each_is_taken_once) {
  EXPECT_EQ(footprints("[8KiB, 3KiB, {range: [1KiB, 4KiB]}, 2048]"),
            (Numbers{1024, 2048, 3072, 4096, 8192}));
}

TEST(Ranges, that_are_impossible_are_refused) {
  const auto refused = [](const std::string& choice, const std::string& why) {
    const std::string refusal = plan_refusal(with_stanza("footprint: " + choice));
    EXPECT_TRUE(support::has(refusal, why)) << refusal;
  };
  refused("{range: [8KiB, 1KiB]}", "the range ends at 1024, below its start at 8192");
  refused("{range: [0, 1KiB]}", "0 is not allowed; 1024 to");
  refused("{range: [1KiB, 1500]}", "1500 is not allowed; a multiple of 128");
  refused("{range: [1KiB, 4KiB], scale: linear, step: 100}", "1124 is not allowed; a multiple");
  refused("{range: [1KiB, 4KiB], scale: linear, step: 0}", "0 is not allowed; a step is 1 or more");
  refused("{range: [1KiB, 512GiB], scale: linear, step: 128}", "more than 10000 values");
  refused("{range: [1KiB, 4 x l9]}", "unknown capacity \"l9\"");
}

TEST(Ranges, beyond_ten_thousand_values_together_are_refused) {
  const auto linear = [](const char* from) {
    return std::string("{range: [") + from + ", 1GiB], scale: linear, step: 128KiB}";
  };
  EXPECT_TRUE(support::has(
      plan_refusal(with_stanza("footprint: [" + linear("1MiB") + ", " + linear("1028KiB") + "]")),
      "stanzas[0].footprint: the axis has more than 10000 values"));
  EXPECT_EQ(footprints("[" + linear("1MiB") + ", " + linear("2MiB") + "]").size(), 8185u);
}

TEST(Ranges, of_a_linear_step_that_misses_the_end_stop_before_it) {
  EXPECT_EQ(footprints("{range: [1KiB, 2KiB], scale: linear, step: 640}"), (Numbers{1024, 1664}));
}

TEST(Shares, of_what_the_device_does_not_state_are_left_out_with_a_note) {
  const auto plan = plan_of(with_stanza("operator: cg\n    footprint: [1KiB, 4 x l3]"));
  EXPECT_EQ(plan.points.size(), 1u);
  EXPECT_EQ(plan.notes, (std::vector<std::string>{"stanzas[0].footprint: \"4 x l3\" left out: this "
                                                  "device states no l3"}));
}

TEST(Shares, that_leave_no_value_at_all_are_refused) {
  EXPECT_EQ(plan_refusal(with_stanza("footprint: 4 x l3")),
            "x.yaml:4:5: error: stanzas[0].footprint: no value is left; this device states none of "
            "the capacities named");
}

TEST(Plan, beyond_twenty_thousand_points_is_refused_before_it_is_made) {
  std::string text = "backend: cuda\nstanzas:\n";
  for (int i = 0; i < 20; ++i)
    text += "  - {probe: latency/global, footprint: {range: [" + std::to_string(1024 + 4 * i) +
            "KiB, 1GiB], scale: linear, step: 128KiB}}\n";
  EXPECT_TRUE(support::has(plan_refusal(text), "the plan grows beyond 20000 points here"));
}

TEST(Plan, has_unique_ids_over_overlapping_stanzas) {
  const auto plan = plan_of(
      "backend: cuda\nstanzas:\n"
      "  - {probe: latency/global, footprint: {range: [1KiB, 1MiB], points_per_octave: 4}}\n"
      "  - {probe: latency/global, footprint: {range: [4KiB, 4MiB], points_per_octave: 2}}\n");
  const auto all = ids(plan);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}
