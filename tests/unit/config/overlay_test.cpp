#include "config/overlay.hpp"

#include "support.hpp"

using support::Folder;
using support::refusal;
using support::refusal_of;
using support::refusal_of_file;

namespace {

const char* const kParent =
    "backend: cuda\nseed: 3\nrepetitions: 9\n"
    "stanzas:\n  - probe: latency/global\n    footprint: 1KiB\n";

std::string set_of(const std::string& set) { return support::refusal_of(kParent, {set}); }

config::Config with(const std::vector<std::string>& sets) {
  return config::read_text(kParent, "x.yaml", sets);
}

}  // namespace

TEST(Extends, replaces_single_values_and_appends_stanzas) {
  const Folder folder;
  folder.write("parent.yaml", kParent);
  const auto child = folder.write("child.yaml",
                                  "extends: parent.yaml\ndevice: h200\nrepetitions: 2\n"
                                  "stanzas: [{probe: latency/shared}]\n");
  const auto config = config::read(child);
  EXPECT_EQ(config.name, "child");
  EXPECT_EQ(config.backend, "cuda");
  EXPECT_EQ(config.device, "h200");
  EXPECT_EQ(config.seed, 3u);
  EXPECT_EQ(config.repetitions, 2);
  ASSERT_EQ(config.stanzas.size(), 2u);
  EXPECT_EQ(config.stanzas[0].probe, "latency/global");
  EXPECT_EQ(config.stanzas[1].probe, "latency/shared");
  EXPECT_EQ(config.text.find("extends"), std::string::npos);
}

TEST(Extends, is_relative_to_the_file_and_not_to_where_the_program_runs) {
  const Folder folder;
  std::filesystem::create_directory(folder.path() / "sub");
  folder.write("parent.yaml", kParent);
  const auto child = folder.write("sub/child.yaml", "extends: ../parent.yaml\n");
  EXPECT_EQ(config::read(child).seed, 3u);
}

TEST(Extends, keeps_the_parents_places_for_the_parents_mistakes) {
  const Folder folder;
  const auto parent = folder.write("parent.yaml", "backend: cuda\nseed: x\nsede: 1\n");
  const auto child = folder.write("child.yaml", "extends: parent.yaml\nrepetitions: 0\n");
  const std::string refusal = refusal_of_file(child);
  EXPECT_TRUE(support::has(refusal, parent.string() + ":2:7: error: seed: "));
  EXPECT_TRUE(support::has(refusal, parent.string() + ":3:1: error: unknown key \"sede\""));
  EXPECT_TRUE(support::has(refusal, child.string() + ":2:14: error: repetitions: 0"));
}

TEST(Extends, in_a_circle_is_refused) {
  const Folder folder;
  const auto self = folder.write("self.yaml", "extends: self.yaml\n");
  EXPECT_EQ(refusal_of_file(self), self.string() + ":1:10: error: extends: a circle: " +
                                       self.string() + " extends itself");
  const auto a = folder.write("a.yaml", "extends: b.yaml\n");
  const auto b = folder.write("b.yaml", "extends: a.yaml\n");
  EXPECT_EQ(refusal_of_file(a), a.string() + ":1:10: error: extends: a circle: " + a.string() +
                                    " -> " + b.string() + " -> " + a.string());
}

TEST(Extends, over_two_levels_is_refused) {
  const Folder folder;
  folder.write("a.yaml", kParent);
  const auto b = folder.write("b.yaml", "extends: a.yaml\n");
  const auto c = folder.write("c.yaml", "extends: b.yaml\n");
  EXPECT_EQ(refusal_of_file(c), c.string() + ":1:10: error: extends: " + b.string() +
                                    " itself extends a.yaml; one level is allowed");
}

TEST(Extends, of_a_file_that_is_not_there_is_refused_at_the_line_that_names_it) {
  const Folder folder;
  folder.write("gpu.yaml", kParent);
  const auto child = folder.write("child.yaml", "device: h200\nextends: gpu.yml\n");
  EXPECT_EQ(refusal_of_file(child),
            child.string() + ":2:10: error: extends: " + (folder.path() / "gpu.yml").string() +
                " no such file; did you mean " + (folder.path() / "gpu.yaml").string() + "?");
  const auto list = folder.write("list.yaml", "extends: [gpu.yaml]\n");
  EXPECT_TRUE(support::has(refusal_of_file(list), "names no file"));
}

TEST(Extends, of_a_broken_file_reports_that_file) {
  const Folder folder;
  const auto parent = folder.write("parent.yaml", "backend: [\n");
  const auto child = folder.write("child.yaml", "extends: parent.yaml\n");
  EXPECT_TRUE(support::has(refusal_of_file(child), parent.string() + ":2:1: error: no valid YAML"));
}

TEST(Set, changes_a_value_anywhere) {
  EXPECT_EQ(with({"seed=7"}).seed, 7u);
  EXPECT_EQ(with({"seed=7", "seed=8"}).seed, 8u);
  EXPECT_EQ(with({"stanzas.0.footprint=4KiB"}).stanzas[0].axes[0].values[0].text, "4KiB");
  EXPECT_EQ(with({"stanzas[0].footprint=[4KiB, 8KiB]"}).stanzas[0].axes[0].values[1].text, "8KiB");
  EXPECT_EQ(with({"stanzas.0.footprint={range: [1KiB, 1MiB]}"}).stanzas[0].axes[0].ranges.size(),
            1u);
  EXPECT_EQ(with({"output=a=b.json"}).output, "a=b.json");
}

TEST(Set, adds_a_key_that_the_file_leaves_out) {
  EXPECT_EQ(with({"max_minutes=2"}).max_minutes, 2);
  EXPECT_EQ(with({"stanzas.0.operator=ca"}).stanzas[0].axes[1].axis, "operator");
}

TEST(Set, is_in_the_normalised_text) {
  EXPECT_TRUE(support::has(with({"seed=7"}).text, "seed: 7\n"));
  EXPECT_NE(with({"seed=7"}).sha256, with({}).sha256);
}

TEST(Set, makes_mistakes_of_its_own_place) {
  EXPECT_EQ(set_of("seed=x"), "--set: error: seed: \"x\" is no whole number; write it like 1");
  EXPECT_EQ(set_of("repetitions=0"), "--set: error: repetitions: 0 is not allowed; 1 to 10000");
  EXPECT_TRUE(support::has(set_of("sede=1"),
                           "--set: error: unknown key \"sede\"; did you mean \"seed\"? all"));
  EXPECT_EQ(set_of("stanzas.3.footprint=1"),
            "--set: error: stanzas.3.footprint: no entry \"3\"; 0 "
            "to 0");
  EXPECT_TRUE(support::has(set_of("stanzas.-1.footprint=1"),
                           "--set: error: stanzas.-1.footprint: no entry \"-1\"; 0 to"));
  EXPECT_TRUE(support::has(
      set_of("stanza.0.footprint=1"),
      "--set: error: stanza.0.footprint: no key \"stanza\"; did you mean \"stanzas\"? all"));
  EXPECT_EQ(set_of("seed.x=1"),
            "--set: error: seed.x: no key \"x\" here; the value before it is no map and no list");
}

TEST(Set, that_is_no_assignment_is_refused) {
  EXPECT_EQ(set_of("seed"),
            "--set: error: \"seed\" is no assignment; write it like seed=7 or "
            "stanzas.0.footprint=4KiB");
  EXPECT_TRUE(support::has(set_of("=7"), "is no assignment"));
  EXPECT_TRUE(support::has(set_of("seed="), "--set: error: seed: has no value"));
  EXPECT_TRUE(support::has(set_of("seed=["),
                           "--set: error: seed: a list or map stands where a key should"));
  EXPECT_TRUE(support::has(set_of("seed={a: 1, a: 2}"), "--set: error: seed: duplicate key"));
  EXPECT_TRUE(support::has(set_of("extends=a.yaml"), "cannot be set"));
}

TEST(Set, reports_every_wrong_one_together) {
  EXPECT_EQ(support::refusal_of(kParent, {"seed=x", "foo", "repetitions=0"}),
            "--set: error: \"foo\" is no assignment; write it like seed=7 or "
            "stanzas.0.footprint=4KiB\n"
            "--set: error: seed: \"x\" is no whole number; write it like 1\n"
            "--set: error: repetitions: 0 is not allowed; 1 to 10000");
}

TEST(Set, without_a_value_is_refused_naming_the_key) {
  for (const char* set : {"seed=", "seed= ", "seed=#7"})
    EXPECT_EQ(set_of(set), "--set: error: seed: has no value; write one after the =") << set;
}
