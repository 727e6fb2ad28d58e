#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/chain.hpp"
#include "core/error.hpp"
#include "example.hpp"
#include "random_results.hpp"
#include "report/file.hpp"
#include "report/gzip.hpp"
#include "report/results.hpp"
#include "same.hpp"

namespace fs = std::filesystem;
using report_test::random_results;
using report_test::same;

namespace {

class ResultFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "result_file_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path put(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }

  static std::string content_of(const fs::path& file) {
    std::ostringstream all;
    all << std::ifstream(file, std::ios::binary).rdbuf();
    return all.str();
  }

  /// What reading says, without the folder's name.
  std::string refusal(const fs::path& file) {
    try {
      report::read(file);
    } catch (const core::Error& error) {
      EXPECT_EQ(error.exit_code(), 64);
      std::string what = error.what();
      EXPECT_EQ(what.find('\n'), what.npos);
      const std::size_t at = what.find(folder_.string() + "/");
      return at == what.npos ? what : what.erase(at, folder_.string().size() + 1);
    }
    return "accepted";
  }

  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

/// The exit code and the text of a write that must fail.
std::pair<int, std::string> failure(const fs::path& file) {
  try {
    report::write(random_results(1), file);
  } catch (const core::Error& error) {
    return {error.exit_code(), error.what()};
  }
  return {0, "written"};
}

}  // namespace

TEST_F(ResultFile, plain_or_compressed_holds_what_was_written) {
  for (const char* name : {"a.json", "a.json.gz"}) {
    report::write(random_results(11), folder_ / name);
    EXPECT_TRUE(same(report::read(folder_ / name), random_results(11))) << name;
  }
  EXPECT_FALSE(report::is_compressed(content_of(folder_ / "a.json")));
  EXPECT_TRUE(report::is_compressed(content_of(folder_ / "a.json.gz")));
  EXPECT_EQ(files_in_folder(), 2u);
}

TEST_F(ResultFile, has_one_measurement_a_line_and_ends_in_a_newline) {
  report::Results results = random_results(1);
  const core::Point point{.probe = "latency/global", .settings = {{"footprint", "bytes", 1024}}};
  results.measurements.assign(3, {.point = point, .reason = "two\nlines"});
  report::write(results, folder_ / "a.json");
  const std::string text = content_of(folder_ / "a.json");
  EXPECT_EQ(text.back(), '\n');
  std::istringstream lines(text);
  int found = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(R"({"id":"latency/global/footprint_bytes:1024")")) continue;
    if (line.back() == ',') line.pop_back();
    EXPECT_EQ(core::Json::parse(line).at("reason"), "two\nlines");
    ++found;
  }
  EXPECT_EQ(found, 3);
}

TEST_F(ResultFile, of_equal_results_is_equal_byte_for_byte) {
  report::write(random_results(5), folder_ / "a.json.gz");
  report::write(random_results(5), folder_ / "b.json.gz");
  EXPECT_EQ(content_of(folder_ / "a.json.gz"), content_of(folder_ / "b.json.gz"));
}

TEST_F(ResultFile, with_text_that_is_no_utf_8_is_still_json) {
  report::Results results = random_results(5);
  results.context.before.device = "GPU \xff\xc3";
  report::write(results, folder_ / "a.json");
  EXPECT_EQ(report::read(folder_ / "a.json").context.before.device, "GPU \uFFFD\uFFFD");
}

TEST_F(ResultFile, replaces_an_old_one_and_keeps_its_mode_and_the_link_to_it) {
  const fs::path real = put("real.json", "old");
  ::chmod(real.c_str(), 0640);
  fs::create_symlink("real.json", folder_ / "link.json");
  report::write(random_results(2), folder_ / "link.json");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.json"));
  EXPECT_TRUE(same(report::read(real), random_results(2)));
  EXPECT_EQ(fs::status(real).permissions(), fs::perms{0640});
  EXPECT_EQ(files_in_folder(), 2u);
}

TEST_F(ResultFile, that_a_link_to_nothing_names_is_made_where_the_link_points) {
  fs::create_symlink("real.json", folder_ / "link.json");
  report::write(random_results(2), folder_ / "link.json");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.json"));
  EXPECT_TRUE(same(report::read(folder_ / "real.json"), random_results(2)));
}

TEST_F(ResultFile, that_does_not_fit_leaves_the_old_one_and_no_temporary) {
  const fs::path file = put("a.json", "old");
  rlimit unlimited{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  const rlimit small{.rlim_cur = 100, .rlim_max = unlimited.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto [code, what] = failure(file);
  ::setrlimit(RLIMIT_FSIZE, &unlimited);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(code, 3);
  EXPECT_EQ(what, "cannot write " + file.string() + ": File too large");
  EXPECT_EQ(content_of(file), "old");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(ResultFile, is_no_folder) {
  const auto [code, what] = failure(folder_);
  EXPECT_EQ(code, 3);
  EXPECT_EQ(what, "cannot write " + folder_.string() +
                      ": Is a directory; --json and --csv take files elsewhere");
}

TEST_F(ResultFile, on_a_full_device_fails_with_the_systems_words) {
  struct stat before {};
  ASSERT_EQ(::stat("/dev/full", &before), 0);
  const auto [code, what] = failure("/dev/full");
  EXPECT_EQ(code, 3);
  EXPECT_EQ(what, "cannot write /dev/full: No space left on device");
  struct stat after {};
  ASSERT_EQ(::stat("/dev/full", &after), 0);
  EXPECT_TRUE(S_ISCHR(after.st_mode));
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST_F(ResultFile, in_a_folder_that_is_missing_fails_with_the_systems_words) {
  const auto [code, what] = failure(folder_ / "none" / "a.json");
  EXPECT_EQ(code, 3);
  EXPECT_EQ(what,
            "cannot write " + (folder_ / "none/a.json").string() + ": No such file or directory");
}

TEST_F(ResultFile, is_written_through_a_pipe) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  // Somebody has it open before the writer looks, whatever the thread does.
  const int open_end = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(open_end, 0);
  std::string got;
  std::thread reader([&] {
    pollfd waiting{.fd = open_end, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, 10'000) != 1) return;
    ::fcntl(open_end, F_SETFL, 0);  // from the first byte on: until the writer is done
    char some[4096];
    for (ssize_t count; (count = ::read(open_end, some, sizeof some)) > 0;)
      got.append(some, static_cast<std::size_t>(count));
  });
  report::write(random_results(4), pipe);
  reader.join();
  ::close(open_end);
  EXPECT_TRUE(same(report::results_from(core::Json::parse(got)), random_results(4)));
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(ResultFile, that_is_none_is_refused_in_one_line) {
  EXPECT_EQ(refusal(folder_ / "none.json"), "cannot read none.json: No such file or directory");
  EXPECT_EQ(refusal(put("empty.json", " \n")), "empty.json is empty");
  EXPECT_EQ(refusal(put("text.json", "one\ntwo")),
            "text.json is not JSON: stopped at line 1, column 1");
  EXPECT_EQ(refusal(put("nan.json", "{\"a\":\n  NaN}")),
            "nan.json is not JSON: stopped at line 2, column 3");
  EXPECT_EQ(refusal(put("other.json", "{}")),
            "other.json: key 'schema_version' is missing: this is no result file");
  fs::create_directory(folder_ / "folder.json");
  EXPECT_EQ(refusal(folder_ / "folder.json"), "cannot read folder.json: Is a directory");
}

TEST_F(ResultFile, with_a_number_that_no_double_holds_is_refused_with_its_place) {
  EXPECT_EQ(refusal(put("large.json", "{\"a\":\n  1e999}")),
            "large.json has a number that is too large at line 2, column 3");
}

TEST_F(ResultFile, nested_without_end_is_refused) {
  for (const std::string open : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += open;
    EXPECT_EQ(refusal(put("deep.json", text)),
              "deep.json is nested too deeply; at most 200 levels");
  }
}

TEST_F(ResultFile, whose_axes_are_not_those_of_the_id_is_refused_naming_the_measurement) {
  report::Results results = random_results(1);
  const core::Point point{.probe = "p", .settings = {{"operation", "", std::string("ffma")}}};
  results.measurements.assign(2, {.point = point, .reason = "r"});
  core::Json json = report::to_json(results);
  json["measurements"][1]["axes"][0]["value"] = 0;
  EXPECT_EQ(refusal(put("a.json", json.dump(-1, ' ', false, core::Json::error_handler_t::replace))),
            "a.json: measurements[1]: key 'value' of axis 'operation' of 'p/operation:ffma' has "
            "the wrong type: a number has a unit, a word has none");
  json["measurements"][1]["axes"][0]["value"] = "imad";
  EXPECT_EQ(refusal(put("a.json", json.dump(-1, ' ', false, core::Json::error_handler_t::replace))),
            "a.json: measurements[1]: key 'id' is 'p/operation:ffma', but its axes are those of "
            "'p/operation:imad'");
}

TEST_F(ResultFile, cut_anywhere_is_refused_as_truncated) {
  report::write(random_results(6), folder_ / "a.json");
  report::write(random_results(6), folder_ / "a.json.gz");
  const std::string plain = content_of(folder_ / "a.json");
  const std::string packed = content_of(folder_ / "a.json.gz");
  for (const std::size_t percent : {10, 40, 70, 99}) {
    EXPECT_EQ(refusal(put("cut.json", plain.substr(0, plain.size() * percent / 100))),
              "cut.json is truncated: the JSON ends early");
    EXPECT_EQ(refusal(put("cut.json.gz", packed.substr(0, packed.size() * percent / 100))),
              "cut.json.gz is truncated: the gzip stream ends early");
  }
}

TEST_F(ResultFile, with_a_flipped_byte_inside_the_compression_is_refused_as_damaged) {
  report::write(random_results(6), folder_ / "a.json.gz");
  std::string packed = content_of(folder_ / "a.json.gz");
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);  // its checksum
  EXPECT_EQ(refusal(put("a.json.gz", packed)), "a.json.gz is damaged (gzip)");
}

TEST_F(ResultFile, of_a_full_map_with_every_raw_sample_fits_2_MiB_compressed) {
  report::Results results = report_test::example_results();
  core::Random random(1);
  std::size_t samples = 0;
  for (core::Measurement& measurement : results.measurements)
    for (core::Repetition& repetition : measurement.repetitions)
      for (core::Column& column : repetition.samples.columns) {
        while (column.values.size() < 512)
          column.values.push_back(column.values[random.below(64) % column.values.size()] +
                                  static_cast<double>(random.below(9)));
        samples += column.values.size();
      }
  report::write(results, folder_ / "full.json.gz");
  EXPECT_GT(samples, 400000u);
  EXPECT_LT(fs::file_size(folder_ / "full.json.gz"), std::uintmax_t{2} << 20);
}

TEST(DefaultFileName, tells_device_identity_and_time) {
  report::Results results;
  results.context.before.device = "NVIDIA H200";
  results.context.before.uuid = "GPU-3f2a1b0c-1111-2222-3333-444444444444";
  results.context.started_utc = "2026-11-30T20:15:00.123Z";
  EXPECT_EQ(report::default_file_name(results), "nvidia-h200_3f2a1b0c_20261130T201500Z.json");
  results.context.before.uuid = "";
  results.context.before.device = "AMD EPYC 7B13 (64 cores)/x";
  results.context.host = {{"hostname", std::string("node-17.example")}};
  EXPECT_EQ(report::default_file_name(results),
            "amd-epyc-7b13-64-cores-x_node-17-example_20261130T201500Z.json");
}
