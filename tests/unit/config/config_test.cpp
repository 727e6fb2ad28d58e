#include "config/config.hpp"

#include "core/sha256.hpp"
#include "support.hpp"

using support::refusal_of;
using support::with_stanza;

TEST(Configuration, is_read_with_its_defaults) {
  const auto config = config::read_text("backend: host\nstanzas: [{probe: latency/global}]\n",
                                        "configs/small.yaml");
  EXPECT_EQ(config.name, "small");
  EXPECT_EQ(config.backend, "host");
  EXPECT_EQ(config.device, "any");
  EXPECT_EQ(config.seed, 1u);
  EXPECT_EQ(config.repetitions, 5);
  EXPECT_EQ(config.max_minutes, 0);
  EXPECT_EQ(config.output, "auto");
  ASSERT_EQ(config.stanzas.size(), 1u);
  EXPECT_FALSE(config.stanzas[0].repetitions.has_value());
  EXPECT_TRUE(config.stanzas[0].axes.empty());
}

TEST(Configuration, is_read_with_everything_that_it_may_say) {
  const auto config = config::read_text(
      "backend: cuda\ndevice: h200\nseed: 18446744073709551615\nrepetitions: 7\n"
      "max_minutes: 0.5\noutput: out.json\n"
      "stanzas:\n"
      "  - probe: latency/global\n"
      "    repetitions: 3\n"
      "    operator: auto\n"
      "    footprint: [1KiB, {range: [2KiB, 4 x l2], points_per_octave: 0.5},\n"
      "                {range: [1, 9], scale: linear, step: 2}]\n",
      "x.yaml");
  EXPECT_EQ(config.device, "h200");
  EXPECT_EQ(config.seed, 18446744073709551615u);
  EXPECT_EQ(config.repetitions, 7);
  EXPECT_EQ(config.max_minutes, 0.5);
  EXPECT_EQ(config.output, "out.json");
  const config::Stanza& stanza = config.stanzas.at(0);
  EXPECT_EQ(stanza.repetitions, 3);
  EXPECT_TRUE(stanza.axes.at(0).automatic);
  const config::AxisChoice& footprint = stanza.axes.at(1);
  EXPECT_EQ(footprint.values.at(0).text, "1KiB");
  EXPECT_EQ(footprint.ranges.at(0).to.text, "4 x l2");
  EXPECT_EQ(footprint.ranges.at(0).points_per_octave, 0.5);
  EXPECT_EQ(footprint.ranges.at(1).scale, config::Range::Scale::linear);
  EXPECT_EQ(footprint.ranges.at(1).step.text, "2");
}

TEST(Configuration, knows_the_place_of_every_value) {
  const auto config = config::read_text(with_stanza("footprint: [1KiB, 2KiB]"), "x.yaml");
  const config::Place expected{.file = "x.yaml", .line = 4, .column = 23};
  EXPECT_EQ(config.stanzas[0].axes[0].values[1].place, expected);
}

TEST(Configuration, reports_all_mistakes_in_one_pass_in_the_order_of_the_file) {
  EXPECT_EQ(refusal_of("backend: cud\n"
                       "sed: 1\n"
                       "repetitions: 0\n"
                       "stanzas:\n"
                       "  - prob: latency/global\n"
                       "    footprint: {range: [1KiB], scale: log}\n"),
            "x.yaml:1:10: error: backend: \"cud\" is not allowed; did you mean \"cuda\"? allowed: "
            "cuda, host, model\n"
            "x.yaml:2:1: error: unknown key \"sed\"; did you mean \"seed\"? allowed: backend, "
            "device, extends, seed, repetitions, max_minutes, output, stanzas\n"
            "x.yaml:3:14: error: repetitions: 0 is not allowed; 1 to 10000\n"
            "x.yaml:5:5: error: stanzas[0].probe: is missing; is it meant by \"prob\"?\n"
            "x.yaml:6:24: error: stanzas[0].footprint.range: is no list of two ends; write [1KiB, "
            "4 x l2]");
}

TEST(Configuration, without_a_backend_is_refused) {
  EXPECT_EQ(refusal_of("seed: 1\n"), "x.yaml:1:1: error: backend: is missing; cuda, host or model");
}

TEST(Configuration, that_is_no_map_is_refused) {
  EXPECT_TRUE(support::has(refusal_of("- a\n"), "is a list; a configuration is a map"));
  EXPECT_TRUE(support::has(refusal_of("text\n"), "is one value; a configuration is a map"));
}

TEST(Configuration, with_values_of_a_wrong_type_is_refused) {
  const auto refused = [](const std::string& line, const std::string& why) {
    EXPECT_TRUE(support::has(refusal_of("backend: cuda\n" + line + "\n"), why))
        << refusal_of("backend: cuda\n" + line + "\n");
  };
  refused("seed: abc", "2:7: error: seed: \"abc\" is no whole number");
  refused("seed: -1", "seed: \"-1\" is out of range; 0 to");
  refused("seed: 1.5", "seed: \"1.5\" is no whole number");
  refused("seed: \"7\"", "seed: \"7\" is a text; write a number without quotes");
  refused("seed: 18446744073709551616", "is out of range");
  refused("seed:", "seed: has no value; write one");
  refused("seed: ~", "seed: has no value");
  refused("repetitions: [1]", "repetitions: is a list; write one value");
  refused("repetitions: {a: 1}", "repetitions: is a map; write one value");
  refused("repetitions: -2", "repetitions: -2 is not allowed; 1 to 10000");
  refused("repetitions: 10001", "repetitions: 10001 is not allowed");
  refused("repetitions: 010", "has a leading zero");
  refused("repetitions: yes", "is no whole number");
  refused("max_minutes: -1", "max_minutes: \"-1\" is negative");
  refused("max_minutes: .inf", "max_minutes: \".inf\"");
  refused("output: \"\"", "output: has no value");
  refused("stanzas: latency/global", "stanzas: is one value; write a list of stanzas");
  refused("stanzas: [latency/global]", "stanzas[0]: is one value; a stanza is a map");
  refused("stanzas: [{probe: [a]}]", "stanzas[0].probe: is a list; write one value");
  refused("stanzas: [{probe: a, repetitions: 0}]", "stanzas[0].repetitions: 0 is not allowed");
  refused("device: h20", "device: \"h20\" is not allowed; did you mean \"h200\"?");
}

TEST(Configuration, of_the_cpu_that_is_meant_for_a_gpu_is_refused) {
  EXPECT_EQ(refusal_of("backend: host\ndevice: h200\n"),
            "x.yaml:2:9: error: device: h200 is a GPU, but the backend is host; any");
}

TEST(Axes, that_say_nothing_or_contradict_themselves_are_refused) {
  const auto refused = [](const std::string& line, const std::string& why) {
    EXPECT_TRUE(support::has(refusal_of(with_stanza(line)), why)) << refusal_of(with_stanza(line));
  };
  refused("footprint: []", "stanzas[0].footprint: names no value; write one, or auto");
  refused("footprint:", "stanzas[0].footprint: has no value");
  refused("footprint: [1KiB, auto]", "footprint[1]: auto stands for the whole axis");
  refused("footprint: [[1KiB]]", "footprint[0]: is a list; write one value");
  refused("footprint: {range: [1, 2, 3]}", "footprint.range: is no list of two ends");
  refused("footprint: {from: 1}", "footprint: unknown key \"from\"; allowed: range, scale");
  refused("footprint: {range: [1, 2], scale: log10}", "\"log10\" is not allowed");
  refused("footprint: {range: [1, 2], scale: linear}", "step: is missing; scale linear needs it");
  refused("footprint: {range: [1, 2], step: 1}", "step: belongs to scale linear");
  refused("footprint: {range: [1, 2], scale: linear, step: 1, points_per_octave: 1}",
          "points_per_octave: belongs to scale log2");
  refused("footprint: {range: [1, 2], points_per_octave: 0}", "0 is not allowed; 0.01 to 64");
  refused("footprint: {range: [1, 2], points_per_octave: 65}", "65 is not allowed; 0.01 to 64");
}

TEST(Messages, stay_readable_when_a_file_stands_where_a_word_should) {
  const std::string refusal = refusal_of("backend: " + std::string(100'000, 'x') + "\n");
  EXPECT_LT(refusal.size(), 200u);
}

TEST(NormalisedText, is_read_back_to_the_same_text_and_hash) {
  const auto config = config::read_text(
      "stanzas:\n"
      "  - footprint: [{range: [1KiB, \"4 x l2\"]}, '64KiB', \"a: b # \\\"c\\\" \\\\\"]\n"
      "    repetitions: 2\n"
      "    probe: latency/global\n"
      "    operator: auto\n"
      "    odd: [\"null\", \"-\", \"[x]\", \" lead\", \"*a\", \"&b\", \"Yes\"]\n"
      "output: \"folder with space/größe.json\"\n"
      "max_minutes: 2.50\n"
      "backend: cuda\n",
      "x.yaml");
  EXPECT_EQ(
      config.text,
      "backend: cuda\n"
      "device: any\n"
      "seed: 1\n"
      "repetitions: 5\n"
      "max_minutes: 2.5\n"
      "output: \"folder with space/größe.json\"\n"
      "stanzas:\n"
      "  - probe: latency/global\n"
      "    repetitions: 2\n"
      "    footprint: [64KiB, \"a: b # \\\"c\\\" \\\\\", {range: [1KiB, 4 x l2], scale: log2, "
      "points_per_octave: 1}]\n"
      "    operator: auto\n"
      "    odd: [\"null\", \"-\", \"[x]\", \" lead\", \"*a\", \"&b\", \"Yes\"]\n");
  EXPECT_EQ(config.sha256, core::sha256(config.text));
  const auto again = config::read_text(config.text, "y.yaml");
  EXPECT_EQ(again.text, config.text);
  EXPECT_EQ(again.sha256, config.sha256);
}

TEST(NormalisedText, does_not_depend_on_spelling_order_or_comments) {
  const auto a = config::read_text("backend: cuda\nseed: 1\nstanzas: []\n", "a.yaml");
  const auto b = config::read_text("# b\nstanzas: []\nbackend: 'cuda'\n", "b.yaml");
  EXPECT_EQ(a.sha256, b.sha256);
  const auto c = config::read_text("backend: cuda\nseed: 2\nstanzas: []\n", "c.yaml");
  EXPECT_NE(a.sha256, c.sha256);
}

TEST(Repetitions, beyond_any_integer_are_refused_with_the_range_that_is_allowed) {
  for (const std::string count : {"99999999999999999999", "-99999999999999999999", "10001"})
    EXPECT_TRUE(support::has(support::refusal_of("backend: cuda\nrepetitions: " + count + "\n"),
                             "repetitions: " + count + " is not allowed; 1 to 10000"));
}
