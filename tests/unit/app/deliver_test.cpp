#include "app/deliver.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "core/error.hpp"

namespace app {
namespace {

namespace fs = std::filesystem;

// The result goes to a full device; TMPDIR is a folder of the test's own.
struct Delivery : testing::Test {
  Delivery() {
    std::string name = (fs::temp_directory_path() / "deliver_test_XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
    if (const char* now = ::getenv("TMPDIR")) before = now;
    ::setenv("TMPDIR", folder.c_str(), 1);
    line.quiet = true;
  }
  ~Delivery() override {
    before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
    fs::remove_all(folder);
  }

  std::string trouble(const std::string& journal_error) {
    try {
      deliver(results, line, output, journal_error);
    } catch (const core::Error& error) {
      EXPECT_EQ(error.exit_code(), core::exit_code::kUnknown);
      return error.what();
    }
    return "";
  }
  std::vector<fs::path> files() {
    std::vector<fs::path> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) all.push_back(entry.path());
    return all;
  }

  fs::path folder;
  std::string before;
  report::Results results;
  CommandLine line;
  Output output{.json = "/dev/full", .csv = {}, .journal = "a.journal"};
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Delivery, to_a_full_disk_goes_to_the_temporary_folder_and_says_so) {
  const std::string text = trouble("");
  ASSERT_EQ(files().size(), 1u);
  EXPECT_NO_THROW(report::read(files()[0]));
  EXPECT_TRUE(has(text, "/dev/full: No space left")) << text;
  EXPECT_TRUE(has(text, files()[0].string() + " instead")) << text;
  EXPECT_TRUE(has(text, "--resume a.journal")) << text;
}

TEST_F(Delivery, does_not_count_on_a_journal_that_is_not_whole) {
  const std::string text = trouble("no space for the journal");
  EXPECT_EQ(files().size(), 1u);
  EXPECT_FALSE(has(text, "--resume")) << text;
  EXPECT_FALSE(has(text, "LOST")) << text;
}

TEST_F(Delivery, that_fails_everywhere_says_what_is_lost) {
  ::setenv("TMPDIR", "/proc", 1);
  const std::string whole = trouble("");
  EXPECT_TRUE(has(whole, "the journal has it")) << whole;
  EXPECT_FALSE(has(whole, "LOST")) << whole;
  const std::string lost = trouble("no space for the journal");
  EXPECT_TRUE(has(lost, "LOST: every sample")) << lost;
  EXPECT_TRUE(has(lost, "no space for the journal")) << lost;
  EXPECT_FALSE(has(lost, "the journal has it")) << lost;
}

TEST_F(Delivery, of_rows_to_a_full_disk_leaves_the_result_and_names_it) {
  output = {.json = folder / "a.json", .csv = "/dev/full", .journal = folder / "a.journal"};
  std::ofstream(output.journal) << "x";
  const std::string text = trouble("");
  EXPECT_TRUE(has(text, "suite reanalyze " + output.json.string() + " --csv")) << text;
  EXPECT_EQ(files(), std::vector<fs::path>{output.json});
}

}  // namespace
}  // namespace app
