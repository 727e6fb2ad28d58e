#include "app/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>

#include "core/error.hpp"

namespace app {
namespace {

namespace fs = std::filesystem;

// A folder of its own as current folder: default names are relative to where the caller stands.
class OutputFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "suite-output-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    before_ = fs::current_path();
    fs::current_path(folder_ = name);
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  static void touch(const fs::path& file, const std::string& content = "x") {
    std::ofstream(file) << content;
  }
  static int code_of(const OutputWishes& wishes) {
    try {
      settle_output(wishes, "name.json");
    } catch (const core::Error& error) {
      return error.exit_code();
    }
    return 0;
  }
  fs::path folder_, before_;
};

TEST_F(OutputFiles, go_to_a_folder_that_is_made_when_nothing_is_said) {
  const Output output = settle_output({}, "name.json");
  EXPECT_EQ(output.json, "out/name.json");
  EXPECT_EQ(output.journal, "out/name.json.journal");
  EXPECT_TRUE(fs::is_directory("out"));
  EXPECT_FALSE(output.takes_stdout());
}

TEST_F(OutputFiles, of_the_command_line_go_before_those_of_the_configuration) {
  EXPECT_EQ(settle_output({.configured = "c.json"}, "name.json").json, "c.json");
  EXPECT_EQ(settle_output({.json = "a.json", .configured = "c.json"}, "name.json").json, "a.json");
}

TEST_F(OutputFiles, get_the_default_name_in_a_folder_that_is_named) {
  fs::create_directory("runs");
  const Output output = settle_output({.json = "runs", .csv = "runs"}, "name.json");
  EXPECT_EQ(output.json, "runs/name.json");
  EXPECT_EQ(output.csv, "runs/name.csv");
}

TEST_F(OutputFiles, of_two_runs_in_one_second_do_not_meet) {
  fs::create_directory("out");
  touch("out/name.json");
  touch("out/name_2.json.journal");
  EXPECT_EQ(settle_output({}, "name.json").json, "out/name_3.json");
}

TEST_F(OutputFiles, that_exist_are_kept_unless_forced) {
  touch("a.json");
  touch("a.csv");
  EXPECT_EQ(code_of({.json = "a.json"}), 64);
  EXPECT_EQ(code_of({.json = "b.json", .csv = "a.csv"}), 64);
  EXPECT_EQ(code_of({.json = "a.json", .csv = "a.csv", .force = true}), 0);
  EXPECT_TRUE(fs::exists("a.json"));
}

TEST_F(OutputFiles, of_a_killed_run_are_removed_a_day_later_and_nothing_else_is) {
  fs::create_directory("runs");
  const auto now = fs::file_time_type::clock::now();
  for (const char* name : {"runs/.suite-12-0.tmp", "runs/.suite-12-1.tmp", "runs/.suite-notes",
                           "runs/suite-12-0.tmp", "runs/.other.tmp"}) {
    touch(name);
    fs::last_write_time(name, now - std::chrono::hours(25));
  }
  fs::last_write_time("runs/.suite-12-1.tmp", now - std::chrono::hours(23));
  settle_output({.json = "runs"}, "name.json");
  EXPECT_FALSE(fs::exists("runs/.suite-12-0.tmp"));
  for (const char* name :
       {"runs/.suite-12-1.tmp", "runs/.suite-notes", "runs/suite-12-0.tmp", "runs/.other.tmp"})
    EXPECT_TRUE(fs::exists(name)) << name;
}

TEST_F(OutputFiles, in_a_folder_that_is_not_there_are_a_mistake_of_the_caller) {
  EXPECT_EQ(code_of({.json = "none/a.json"}), 64);
  EXPECT_EQ(code_of({.json = "a.json", .csv = "none/a.csv"}), 64);
}

TEST_F(OutputFiles, in_a_folder_that_cannot_be_written_are_no_mistake_of_the_caller) {
  EXPECT_EQ(code_of({.json = "/proc/a.json"}), 3);
  touch("out", "a file where the folder should be");
  EXPECT_EQ(code_of({}), 3);
}

TEST_F(OutputFiles, that_are_devices_keep_their_journal_apart) {
  for (const char* target : {"/dev/null", "-"}) {
    const Output output = settle_output({.json = target}, "name.json");
    EXPECT_EQ(output.json, target);
    EXPECT_EQ(output.journal, "out/name.json.journal");
  }
  EXPECT_TRUE(settle_output({.json = "-"}, "name.json").takes_stdout());
}

TEST_F(OutputFiles, of_a_resumed_run_stand_beside_its_journal) {
  touch("a.json.journal");
  const Output output = settle_output({.resume = "a.json.journal"}, "name.json");
  EXPECT_EQ(output.json, "a.json");
  EXPECT_EQ(output.journal, "a.json.journal");
  EXPECT_EQ(settle_output({.json = "b.json", .resume = "a.json.journal"}, "name.json").json,
            "b.json");
}

TEST_F(OutputFiles, replace_the_partial_result_of_the_run_that_they_resume_and_no_other) {
  report::Results results;
  results.complete = false;
  results.incomplete_reason = "interrupted by SIGINT";
  report::write(results, "a.json");
  EXPECT_EQ(code_of({.resume = "a.json.journal"}), 0);
  EXPECT_EQ(code_of({.json = "a.json"}), 64);
  results.complete = true;
  report::write(results, "a.json.gz");
  EXPECT_EQ(code_of({.resume = "a.json.gz.journal"}), 64);
  touch("c.json", "not a result");
  EXPECT_EQ(code_of({.resume = "c.json.journal"}), 64);
}

TEST_F(OutputFiles, forced_take_an_old_journal_away_unless_a_run_has_it) {
  touch("a.json.journal");
  settle_output({.json = "a.json"}, "name.json");
  EXPECT_TRUE(fs::exists("a.json.journal"));
  const int held = ::open("a.json.journal", O_RDONLY);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  settle_output({.json = "a.json", .force = true}, "name.json");
  EXPECT_TRUE(fs::exists("a.json.journal"));
  ::close(held);
  settle_output({.json = "a.json", .force = true}, "name.json");
  EXPECT_FALSE(fs::exists("a.json.journal"));
}

TEST_F(OutputFiles, are_never_two_in_one_file) {
  fs::create_directory("sub");
  touch("there.json");
  touch("a.yaml");
  fs::create_symlink("new.json", "link.csv");  // to what is not there yet
  fs::create_hard_link("there.json", "hard.csv");
  EXPECT_EQ(code_of({.json = "a.json", .csv = "a.json"}), 64);
  EXPECT_EQ(code_of({.json = "a.json", .csv = "sub/../a.json"}), 64);
  EXPECT_EQ(code_of({.json = "a.json", .csv = fs::absolute("a.json")}), 64);
  EXPECT_EQ(code_of({.json = "new.json", .csv = "link.csv"}), 64);
  EXPECT_EQ(code_of({.json = "there.json", .csv = "hard.csv", .force = true}), 64);
  EXPECT_EQ(code_of({.json = "a.json", .csv = "a.json.journal"}), 64);
  EXPECT_EQ(code_of({.json = "a.yaml", .config = "./a.yaml", .force = true}), 64);
  EXPECT_EQ(code_of({.json = "b.json", .csv = "a.yaml", .config = "a.yaml", .force = true}), 64);
  touch("a.journal");
  EXPECT_EQ(code_of({.json = "a.journal", .resume = "a.journal", .force = true}), 64);
  EXPECT_EQ(code_of({.json = "/dev/null", .csv = "/dev/null"}), 0);
  EXPECT_EQ(code_of({.json = "a.json", .csv = "a.csv", .config = "a.yaml"}), 0);
}

TEST_F(OutputFiles, behind_links_that_lead_nowhere_are_a_mistake_of_the_caller) {
  fs::create_symlink("circle.json", "circle.json");
  fs::create_symlink("none/a.json", "dangling.json");
  EXPECT_EQ(code_of({.json = "circle.json"}), 64);
  EXPECT_EQ(code_of({.csv = "circle.json"}), 64);
  EXPECT_EQ(code_of({.json = "dangling.json"}), 64);
  EXPECT_EQ(code_of({.configured = "circle.json"}), 64);
}

TEST_F(OutputFiles, are_tried_without_a_trace) {
  settle_output({.json = "a.json", .csv = "a.csv"}, "name.json");
  EXPECT_TRUE(fs::is_empty("."));
}

}  // namespace
}  // namespace app
