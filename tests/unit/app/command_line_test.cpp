#include "app/command_line.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace app {
namespace {

using Action = CommandLine::Action;

CommandLine parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "suite");
  return parse(static_cast<int>(words.size()), words.data());
}

std::string refusal(const std::vector<const char*>& words) {
  try {
    parsed(words);
  } catch (const core::UsageError& error) {
    EXPECT_EQ(error.exit_code(), 64);
    return error.what();
  }
  return {};
}

TEST(CommandLine, without_words_measures_what_is_here) {
  const CommandLine line = parsed({});
  EXPECT_EQ(line.action, Action::measure);
  EXPECT_TRUE(line.config.empty());
  EXPECT_TRUE(line.json.empty());
  EXPECT_FALSE(line.watchdog_seconds.has_value());
}

TEST(CommandLine, takes_a_configuration_and_options_in_any_order) {
  const CommandLine line = parsed({"--filter", "latency/.*", "a.yaml", "--json", "-", "--force"});
  EXPECT_EQ(line.config, "a.yaml");
  EXPECT_EQ(line.filter, "latency/.*");
  EXPECT_EQ(line.json, "-");
  EXPECT_TRUE(line.force);
}

TEST(CommandLine, turns_short_forms_into_settings_behind_those_of_set) {
  const CommandLine line =
      parsed({"--seed", "-1", "--set", "a.b=1", "--max-minutes", "2", "--set", "c=[1, 2]"});
  EXPECT_EQ(line.sets, (std::vector<std::string>{"a.b=1", "c=[1, 2]", "seed=-1", "max_minutes=2"}));
}

TEST(CommandLine, does_not_take_an_empty_value_for_none) {
  for (const char* option : {"--seed", "--repetitions", "--json", "--resume", "--device"})
    EXPECT_THROW(parsed({option, ""}), core::UsageError) << option;
  EXPECT_THROW(parsed({""}), core::UsageError);
}

TEST(CommandLine, does_not_take_the_configuration_for_a_second_value_of_set) {
  const CommandLine line = parsed({"--set", "seed=1", "a.yaml"});
  EXPECT_EQ(line.config, "a.yaml");
  EXPECT_EQ(line.sets, std::vector<std::string>{"seed=1"});
}

TEST(CommandLine, keeps_a_limit_of_zero_apart_from_none) {
  EXPECT_EQ(parsed({"--timeout", "0"}).watchdog_seconds, 0.0);
  EXPECT_EQ(parsed({"--timeout", "2.5"}).watchdog_seconds, 2.5);
}

TEST(CommandLine, refuses_limits_that_are_no_time) {
  for (const char* text : {"-1", "nan", "inf", "1e999", "2s", ""})
    EXPECT_NE(refusal({"--timeout", text}), "") << text;
}

TEST(CommandLine, knows_what_each_action_is_asked_with) {
  EXPECT_EQ(parsed({"--list"}).action, Action::list);
  EXPECT_EQ(parsed({"--dry-run", "--assume", "h200"}).action, Action::dry_run);
  EXPECT_EQ(parsed({"--print-config", "a.yaml"}).action, Action::print_config);
  EXPECT_EQ(parsed({"--version"}).action, Action::version);
  const CommandLine again = parsed({"reanalyze", "run.json", "--json", "b.json", "-v"});
  EXPECT_EQ(again.action, Action::reanalyze);
  EXPECT_EQ(again.file, "run.json");
  EXPECT_EQ(again.json, "b.json");
  EXPECT_TRUE(again.verbose);
}

TEST(CommandLine, takes_a_file_that_is_called_like_a_command) {
  EXPECT_EQ(parsed({"./plot"}).config, "./plot");
}

TEST(CommandLine, hands_the_options_of_the_plot_script_over_as_they_are) {
  const CommandLine line = parsed({"plot", "run.json", "--output", "figures"});
  EXPECT_EQ(line.action, Action::plot);
  EXPECT_EQ(line.file, "run.json");
  EXPECT_EQ(line.plot_options, (std::vector<std::string>{"--output", "figures"}));
}

TEST(CommandLine, begins_its_help_with_examples) {
  const CommandLine line = parsed({"--help"});
  EXPECT_EQ(line.action, Action::help);
  EXPECT_TRUE(line.help.starts_with("Examples:")) << line.help;
  EXPECT_NE(line.help.find("--resume"), std::string::npos);
  EXPECT_TRUE(line.help.ends_with(".\n")) << line.help;
}

TEST(CommandLine, lists_no_command_that_does_not_exist) {
  const std::string help = parsed({"--help"}).help;
  for (const char* later :
       {"compare", "verify", "explain", "nightly", "history", "fleet", "report ", "selftest"})
    EXPECT_EQ(help.find(later), std::string::npos) << later;
}

TEST(CommandLine, refuses_in_one_line_what_it_does_not_know) {
  for (const auto& words : std::vector<std::vector<const char*>>{{"--nonsense"},
                                                                 {"a.yaml", "b.yaml"},
                                                                 {"--json"},
                                                                 {"--seed", "1", "--seed", "2"},
                                                                 {"reanalyze"},
                                                                 {"reanalyze", "a", "b"},
                                                                 {"plot"}}) {
    const std::string text = refusal(words);
    EXPECT_NE(text, "") << words.front();
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

TEST(CommandLine, refuses_combinations_of_which_one_half_would_be_ignored) {
  EXPECT_NE(refusal({"--assume", "h200"}), "");
  EXPECT_NE(refusal({"--list", "--version"}), "");
  EXPECT_NE(refusal({"--quiet", "--verbose"}), "");
  EXPECT_NE(refusal({"--json", "-", "--csv", "-"}), "");
  EXPECT_NE(refusal({"--seed", "7", "reanalyze", "run.json"}), "");
  EXPECT_NE(refusal({"a.yaml", "plot", "run.json"}), "");
}

}  // namespace
}  // namespace app
