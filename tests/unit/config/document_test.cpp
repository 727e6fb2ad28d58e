#include "config/document.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "support.hpp"

using support::Folder;
using support::refusal_of;
using support::refusal_of_file;

TEST(File, that_is_missing_is_refused_with_the_nearest_name) {
  const Folder folder;
  folder.write("h200.yaml", "backend: cuda\n");
  const std::string file = (folder.path() / "h20.yaml").string();
  EXPECT_EQ(refusal_of_file(file), file + ": error: no such file; did you mean " +
                                       (folder.path() / "h200.yaml").string() + "?");
}

TEST(File, that_is_a_directory_is_refused) {
  const Folder folder;
  EXPECT_EQ(refusal_of_file(folder.path()),
            folder.path().string() + ": error: is a directory; a configuration is a YAML file");
}

TEST(File, that_is_empty_is_refused) {
  const Folder folder;
  const auto file = folder.write("empty.yaml", "");
  EXPECT_EQ(
      refusal_of_file(file),
      file.string() + ": error: is empty; a configuration names at least backend and stanzas");
}

TEST(File, of_comments_alone_is_empty) {
  EXPECT_EQ(refusal_of("# nothing\n"),
            "x.yaml: error: is empty; a configuration names at least backend and stanzas");
}

TEST(File, above_one_mebibyte_is_refused_and_one_of_just_that_is_read) {
  const Folder folder;
  const std::string start = "backend: cuda\nstanzas: []\n#";
  const auto largest =
      folder.write("largest.yaml", start + std::string((1 << 20) - start.size(), 'x'));
  EXPECT_EQ(refusal_of_file(largest), "accepted");
  const auto larger =
      folder.write("larger.yaml", start + std::string((1 << 20) - start.size() + 1, 'x'));
  EXPECT_EQ(refusal_of_file(larger),
            larger.string() + ": error: is larger than 1 MiB (1048577 bytes)");
}

TEST(File, that_cannot_be_read_is_refused_with_the_systems_reason) {
  // A regular file whose first page is not mapped: even root gets an input/output error.
  EXPECT_EQ(refusal_of_file("/proc/self/mem"),
            "/proc/self/mem: error: cannot be read: Input/output error");
}

TEST(File, that_is_a_pipe_without_a_writer_is_refused_at_once) {
  const Folder folder;
  const auto pipe = folder.path() / "pipe.yaml";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal_of_file(pipe),
            pipe.string() + ": error: is no regular file; a configuration is a YAML file");
}

TEST(Text, that_is_no_utf8_is_refused_with_line_and_column) {
  for (const std::string bad : {"\xff", "\xc0\xaf", "\xe2\x82", "\xed\xa0\x80", "\xe0\x80\xaf",
                                "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"})
    EXPECT_EQ(refusal_of("backend: cuda\noutput: a" + bad + "\n"),
              "x.yaml:2:10: error: no valid UTF-8; save the file as UTF-8");
}

TEST(Text, with_a_quote_that_is_never_closed_is_refused_at_the_quote) {
  const std::string wrong = "error: a quote is opened and never closed";
  const std::string start = "backend: cuda\nstanzas: []\noutput: ";
  for (const std::string value : {"\"4KiB", "'4KiB", "\"4KiB\\\"", "'4KiB''", "&a \"4KiB"})
    EXPECT_TRUE(support::has(refusal_of(start + value + "\n"), "x.yaml:3:9: ")) << value;
  EXPECT_EQ(refusal_of(start + "\"4KiB\n"), "x.yaml:3:9: " + wrong);
  EXPECT_EQ(refusal_of("\xef\xbb\xbf" + start + "\"é\n"), refusal_of(start + "\"é\n"));
  for (const std::string value : {"\"4KiB\"", "'4''KiB'", "\"4\\\"KiB\"", "&a '4KiB'", "it's"})
    EXPECT_EQ(refusal_of(start + value + "\n"), "accepted") << value;
}

TEST(Text, in_other_scripts_is_read) {
  const auto config = config::read_text("backend: cuda\noutput: \"größe-測-😀.json\"\n", "x.yaml");
  EXPECT_EQ(config.output, "größe-測-😀.json");
}

TEST(Text, with_a_control_character_is_refused) {
  EXPECT_EQ(refusal_of(std::string("backend: cuda\n\0", 15)),
            "x.yaml:2:1: error: control character 0x00; text only");
  EXPECT_EQ(refusal_of("backend: cuda\noutput: \"a\\x07\"\n"),
            "x.yaml:2:9: error: a value contains a line break or another control character; values "
            "are one line");
}

TEST(Text, that_is_no_yaml_is_refused_where_it_breaks) {
  EXPECT_EQ(refusal_of("backend: cuda\nstanzas: [\n"),
            "x.yaml:3:1: error: no valid YAML: end of sequence flow not found");
}

TEST(Nesting, of_ten_thousand_levels_is_refused_in_every_style) {
  constexpr int kLevels = 10'000;
  std::string brackets, dashes, maps, keys;
  for (int i = 0; i < kLevels; ++i) {
    brackets += "[";
    dashes += "- ";
    maps += "{a: [";
    keys += "? ";
  }
  EXPECT_TRUE(support::has(refusal_of("stanzas: " + brackets), "bracket is not closed"));
  EXPECT_TRUE(support::has(refusal_of("stanzas: " + brackets + std::string(kLevels, ']')),
                           "nested too deeply; at most 32 levels"));
  EXPECT_TRUE(support::has(refusal_of(dashes), "nested too deeply"));
  EXPECT_TRUE(support::has(refusal_of("a: " + maps), "bracket is not closed"));
  EXPECT_TRUE(support::has(refusal_of(keys), "keys are words"));
}

TEST(Nesting, by_indentation_up_to_the_size_limit_is_refused) {
  std::string text;
  for (int i = 0; text.size() < (1 << 20) - 3000; ++i) text += std::string(i, ' ') + "a:\n";
  EXPECT_TRUE(support::has(refusal_of(text), "nested too deeply"));
}

TEST(Aliases, are_written_out) {
  const auto config = config::read_text(
      "backend: cuda\nstanzas:\n"
      "  - {probe: latency/global, footprint: &sizes [1KiB, 2KiB]}\n"
      "  - {probe: bandwidth/global, footprint: *sizes}\n",
      "x.yaml");
  ASSERT_EQ(config.stanzas[1].axes[0].values.size(), 2u);
  EXPECT_EQ(config.stanzas[1].axes[0].values[1].text, "2KiB");
}

TEST(Aliases, that_multiply_beyond_the_limit_are_refused) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    bomb += fmt::format("a{0}: &a{0} [", i);
    for (int j = 0; j < 10; ++j) bomb += fmt::format("*a{}, ", i - 1);
    bomb += "x]\n";
  }
  EXPECT_TRUE(
      support::has(refusal_of(bomb), "too many values, aliases written out; at most 10000"));
}

TEST(Aliases, that_nest_beyond_the_limit_are_refused) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 100; ++i) text += fmt::format("a{0}: &a{0} [*a{1}]\n", i, i - 1);
  EXPECT_TRUE(support::has(refusal_of(text), "nested too deeply"));
}

TEST(Aliases, of_the_value_that_they_stand_in_are_refused) {
  EXPECT_EQ(refusal_of("stanzas: &a [*a]\n"),
            "x.yaml:1:14: error: an alias stands inside the value that it names");
  EXPECT_EQ(refusal_of("&a stanzas: &b\n  x: {y: *b}\n"),
            "x.yaml:2:10: error: an alias stands inside the value that it names");
}

TEST(Aliases, of_nothing_are_refused) {
  EXPECT_TRUE(support::has(refusal_of("stanzas: *a\n"), "no valid YAML"));
}

TEST(Document, second_in_a_file_is_refused) {
  EXPECT_EQ(refusal_of("backend: cuda\n---\nbackend: host\n"),
            "x.yaml:2:1: error: a second document or stray text begins here; a configuration is "
            "one document");
}

TEST(Document, is_not_left_to_be_guessed_by_tags_and_merge_keys) {
  EXPECT_EQ(refusal_of("backend: !!str cuda\n"),
            "x.yaml:1:10: error: tag \"tag:yaml.org,2002:str\" is not allowed; write the value "
            "alone");
  EXPECT_EQ(refusal_of("backend: cuda\n<<: {seed: 1}\n"),
            "x.yaml:2:1: error: <<: merge keys are not supported; write the keys out, or use "
            "extends");
}

TEST(Keys, given_twice_are_refused_with_the_line_of_the_first) {
  EXPECT_EQ(refusal_of("backend: cuda\nseed: 1\nseed: 2\n"),
            "x.yaml:3:1: error: duplicate key \"seed\"; first on line 2");
}

TEST(Keys, that_are_lists_maps_or_nothing_are_refused) {
  EXPECT_TRUE(support::has(refusal_of("[a]: 1\n"), "keys are words"));
  EXPECT_TRUE(support::has(refusal_of("{a: 1}: 1\n"), "keys are words"));
  EXPECT_TRUE(support::has(refusal_of(": 1\n"), "keys are words"));
}
