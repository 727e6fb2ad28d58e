#include "report/terminal.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "example.hpp"
#include "random_results.hpp"
#include "report/text_layout.hpp"

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string line_with(const std::string& table, const std::string& part) {
  for (const std::string& line : lines_of(table))
    if (line.find(part) != std::string::npos) return line;
  return "no line has " + part;
}

std::string table(const report::Results& results, int columns, bool verbose = false) {
  return report::terminal_table(results, {.columns = columns, .verbose = verbose});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST(TerminalTable, has_one_row_a_level_with_every_number_in_its_column) {
  const std::string text = table(report_test::example_results(), 120);
  const std::vector<std::string> lines = lines_of(text);
  const auto head = std::ranges::find_if(
      lines, [](const std::string& line) { return line.starts_with("Level "); });
  ASSERT_NE(head, lines.end());
  const std::string hbm = line_with(text, "HBM   ");
  EXPECT_TRUE(std::regex_search(
      hbm,
      std::regex(R"(^HBM +GPU +- +140 GiB +668\.\d +337\.\d +17\.\d\d +45\d\d +9[45]\.\d %  ok$)")))
      << hbm;
  for (const auto& [column, value] : {std::pair{"cycles", "668."}, {"GB/s", "45"}}) {
    const std::size_t end_of_head = head->find(column) + std::string(column).size();
    const std::size_t end_of_value = hbm.find(' ', hbm.find(value, 30));
    EXPECT_EQ(end_of_head, end_of_value) << column;
  }
}

TEST(TerminalTable, shows_interval_and_published_range_with_source_below_each_value) {
  const std::vector<std::string> lines = lines_of(table(report_test::example_results(), 120));
  const auto l1 =
      std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("L1 "); });
  ASSERT_LT(l1 + 2, lines.end());
  EXPECT_TRUE(std::regex_search(l1[1], std::regex(R"(interval +203-256 KiB +32\.\d\d-33\.\d\d )")))
      << l1[1];
  EXPECT_TRUE(has(l1[2], "published")) << l1[2];
  EXPECT_TRUE(has(l1[2], "31-36 cycles (HPMLL, GB)")) << l1[2];
  EXPECT_TRUE(has(l1[2], "115-128 B/clk/SM (L24, GB)")) << l1[2];
}

TEST(TerminalTable, fits_the_columns_it_is_given) {
  report::Results example = report_test::example_results();
  for (const int columns : {80, 81, 100, 110, 120, 200}) {
    for (const bool verbose : {false, true})
      for (const std::string& line : lines_of(table(example, columns, verbose)))
        EXPECT_LE(report::width(line), static_cast<std::size_t>(std::min(columns, 120))) << line;
  }
}

TEST(TerminalTable, keeps_every_number_whole_in_80_columns) {
  const std::string wide = table(report_test::example_results(), 120);
  const std::string narrow = table(report_test::example_results(), 80);
  ASSERT_NE(wide, narrow);
  const std::regex figure(R"(\d+\.\d+|\d{4,})");
  for (std::sregex_iterator at(wide.begin(), wide.end(), figure), end; at != end; ++at)
    EXPECT_TRUE(has(narrow, at->str())) << at->str();
}

TEST(TerminalTable, says_first_who_was_measured_when_and_at_which_clock) {
  const std::string text = table(report_test::example_results(), 120);
  EXPECT_EQ(lines_of(text).front(),
            "NVIDIA H200 (example)   GPU-3f2a1b0c   driver 580.95.05   SM clock 1980 MHz measured  "
            " 2026-11-30 20:15 UTC");
}

TEST(TerminalTable, says_simulated_and_incomplete_and_only_then) {
  report::Results results = report_test::example_results();
  EXPECT_TRUE(has(table(results, 80), "SIMULATED:"));
  EXPECT_FALSE(has(table(results, 80), "INCOMPLETE:"));
  results.context.before.simulated = false;
  results.complete = false;
  results.incomplete_reason = "interrupted after 12 of 173 points";
  EXPECT_FALSE(has(table(results, 80), "SIMULATED"));
  EXPECT_TRUE(has(table(results, 80), "INCOMPLETE: interrupted after 12 of 173 points"));
}

TEST(TerminalTable, names_what_is_not_ok_and_why) {
  const std::string text = table(report_test::example_results(), 120);
  EXPECT_TRUE(has(text, "173 planned: 169 ok, 1 unstable, 1 invalid, 1 skipped, 1 failed"));
  EXPECT_TRUE(has(text, "final index 4711, predicted 4712"));
  EXPECT_TRUE(has(line_with(text, "L2  "), "unstable"));
  EXPECT_TRUE(has(text, "status        unstable: read spread 1.8 % over the repetitions"));
  EXPECT_TRUE(has(text, "outside 10000-10500 GB/s (GB)"));
  EXPECT_TRUE(has(text, "! 9790"));
  EXPECT_TRUE(has(text, "L2 capacity: 35 MiB by latency, 47 MiB by bandwidth"));
  EXPECT_TRUE(has(text, "no stated level ends there"));
}

TEST(TerminalTable, tells_a_reason_that_many_points_share_once) {
  report::Results results = report_test::example_results();
  for (core::Measurement& measurement : results.measurements) {
    measurement.status = core::Status::failed;
    measurement.reason = "the device was lost";
  }
  const std::string text = table(results, 120);
  EXPECT_TRUE(
      has(text, "failed latency/register/operation:ffma and 172 more: the device was lost"));
  EXPECT_EQ(text.find("the device was lost"), text.rfind("the device was lost"));
}

TEST(TerminalTable, tells_what_several_numbers_or_levels_share_once) {
  report::Results results = report_test::example_results();
  map::MapLevel& hbm = results.map.levels.back();
  hbm.latency[0].note = hbm.latency[1].note = "memory was shared with others";
  const std::string text = table(results, 120);
  EXPECT_TRUE(has(text, "HBM cycles, HBM ns: memory was shared with others"));
  EXPECT_TRUE(has(text, "Shared 128 B/clk/SM, L1 128 B/clk/SM: 32 banks x 4 bytes a clock"));
}

// `count` points of one probe, each with a bandwidth and a share.
std::vector<map::Entry> figures(int count) {
  std::vector<map::Entry> all;
  for (int i = 1; i <= count; ++i)
    for (const auto& [name, unit, value] :
         {std::tuple{"bandwidth", "bytes_per_s", i * 1e11}, std::tuple{"far_share", "ratio", 0.5}})
      all.push_back(
          {.estimate =
               {.name = name, .unit = unit, .value = value, .low = value, .high = value, .n = 5},
           .method = "",
           .points = {"bandwidth/sm_count/level:hbm/sms_count:" + std::to_string(i)}});
  return all;
}

TEST(TerminalTable, shows_every_figure_of_a_probe_of_few_points) {
  report::Results results = report_test::example_results();
  results.map.figures = figures(2);
  results.map.figures[0].ceiling = 4e11;
  results.map.figures[3].status = core::Status::unstable;
  const std::string text = table(results, 120);
  EXPECT_TRUE(has(text, "  bandwidth/sm_count\n")) << text;
  EXPECT_TRUE(
      has(line_with(text, "sms_count:1:"), "bandwidth 100.0 GB/s (100.0-100.0), 25.0 % of peak"))
      << text;
  EXPECT_TRUE(has(line_with(text, "sms_count:2:"), "far share 0.500 (0.500-0.500)")) << text;
  EXPECT_TRUE(has(line_with(text, "sms_count:2:"), "!")) << text;
  EXPECT_FALSE(has(line_with(text, "sms_count:1:"), "!")) << text;
}

TEST(TerminalTable, shows_the_extremes_of_a_probe_of_many_points_and_all_when_verbose) {
  report::Results results = report_test::example_results();
  results.map.figures = figures(9);
  const std::string text = table(results, 120);
  EXPECT_TRUE(has(text, "9 points, from bandwidth 100.0 GB/s")) << text;
  EXPECT_TRUE(has(text, "to bandwidth 900.0 GB/s")) << text;
  EXPECT_FALSE(has(text, "sms_count:5")) << text;
  EXPECT_TRUE(has(table(results, 120, true), "sms_count:5")) << text;
}

TEST(TerminalTable, limits_the_reasons_unless_verbose) {
  report::Results results = report_test::example_results();
  int number = 0;
  for (core::Measurement& measurement : results.measurements) {
    measurement.status = core::Status::failed;
    measurement.reason = "reason " + std::to_string(number++);
  }
  EXPECT_TRUE(has(table(results, 120), "and 165 more reasons: --verbose shows all"));
  EXPECT_FALSE(has(table(results, 120), "reason 100"));
  EXPECT_TRUE(has(table(results, 120, true), "reason 100"));
}

TEST(TerminalTable, has_colour_only_when_asked_and_then_nothing_else_changes) {
  const report::Results results = report_test::example_results();
  for (const int columns : {80, 120}) {
    const std::string plain = table(results, columns);
    EXPECT_FALSE(has(plain, "\x1b"));
    const std::string coloured =
        report::terminal_table(results, {.columns = columns, .colour = true});
    EXPECT_TRUE(has(coloured, "\x1b["));
    EXPECT_EQ(std::regex_replace(coloured, std::regex("\x1b\\[[0-9;]*m"), ""), plain);
  }
}

TEST(TerminalTable, of_hostile_names_sends_no_control_characters) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    for (const int columns : {80, 120})
      for (const char c : table(report_test::random_results(seed), columns, true))
        ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ') << "seed " << seed;
}

TEST(TerminalTable, of_levels_without_a_latency_keeps_its_titles_apart) {
  report::Results results = report_test::example_results();
  for (map::MapLevel& level : results.map.levels) level.latency.clear();
  EXPECT_TRUE(has(table(results, 120), "Latency of one access  Bandwidth, read"));
}

TEST(TerminalTable, of_nothing_says_so) {
  EXPECT_TRUE(has(table({}, 120), "No level was measured."));
  EXPECT_TRUE(has(table({}, 120), "SM clock not measured"));
}

TEST(TerminalTable, of_a_level_without_numbers_shows_dashes_and_its_status) {
  report::Results results;
  results.map.levels = {{.name = "L3", .scope = "GPU", .status = "not measured"}};
  EXPECT_TRUE(std::regex_search(table(results, 120),
                                std::regex(R"(L3 +GPU +- +- +- +- +- +- +-  not measured)")))
      << table(results, 120);
}

TEST(TerminalTable, of_a_cpu_speaks_of_cores) {
  report::Results results = report_test::example_results();
  results.context.before.backend = "host";
  const std::string text = table(results, 120);
  EXPECT_TRUE(has(text, "B/clk/core"));
  EXPECT_TRUE(has(text, "core clock 1980 MHz"));
  EXPECT_FALSE(has(text, "clk/SM"));
}
