#include "run/engine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "child.hpp"

namespace {

std::vector<run::EngineEntry> numbered(int count, std::vector<int>& ran) {
  std::vector<run::EngineEntry> entries;
  for (int i = 0; i < count; ++i)
    entries.push_back({"same/name", [i, &ran] {
                         ran.push_back(i);
                         return 10.0 + i;
                       }});
  return entries;
}

std::vector<int> counted(int count) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) all.push_back(i);
  return all;
}

TEST(Engine, runs_thousands_of_entries_once_each_in_the_order_given) {
  std::vector<int> ran;
  const auto rows = run::run_in_order(numbered(3000, ran));
  EXPECT_EQ(ran, counted(3000));
  ASSERT_EQ(rows.size(), 3000u);
  for (int i = 0; i < 3000; ++i) {
    EXPECT_NEAR(rows[i].time_ns, 10 + i, 1e-6);
    EXPECT_EQ(rows[i].error, "");
  }
}

TEST(Engine, can_be_used_again_and_forgets_what_it_ran_before) {
  std::vector<int> first, second;
  run::run_in_order(numbered(3, first));
  EXPECT_EQ(run::run_in_order(numbered(2, second)).size(), 2u);
  EXPECT_EQ(first, counted(3));
  EXPECT_EQ(second, counted(2));
  EXPECT_TRUE(run::run_in_order({}).empty());
}

TEST(Engine, gives_back_what_an_entry_threw_and_goes_on) {
  std::vector<run::EngineEntry> entries{
      {"throws", []() -> double { throw std::runtime_error("no such line"); }},
      {"throws nothing standard", []() -> double { throw 7; }},
      {"throws an empty text", []() -> double { throw std::runtime_error(""); }},
      {"works", [] { return 1.0; }}};
  const auto rows = run::run_in_order(entries);
  EXPECT_EQ(rows[0].error, "no such line");
  EXPECT_EQ(rows[1].error, "something was thrown that is no std::exception");
  EXPECT_NE(rows[2].error, "");
  EXPECT_EQ(rows[3].error, "");
  EXPECT_NEAR(rows[3].time_ns, 1, 1e-9);
}

TEST(Engine, writes_nothing_to_stdout) {
  std::vector<int> ran;
  testing::internal::CaptureStdout();
  run::run_in_order(numbered(3, ran));
  run::run_in_order({{"fails", []() -> double { throw std::runtime_error("x"); }}});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

// The library reads its variables when the process starts: only a fresh one shows what they do.
TEST(Engine, is_not_led_astray_by_variables_of_google_benchmark) {
  if (std::getenv("RUN_TEST_INSIDE")) {
    std::vector<int> ran;
    const auto rows = run::run_in_order(numbered(200, ran));
    EXPECT_EQ(ran, counted(200));
    EXPECT_EQ(rows.back().error, "");
    return;
  }
  const std::string out = testing::TempDir() + "engine_test_out.json";
  std::filesystem::remove(out);
  for (const std::string variable :
       {"BENCHMARK_FILTER=nothing", "BENCHMARK_LIST_TESTS=true", "BENCHMARK_REPETITIONS=3",
        "BENCHMARK_ENABLE_RANDOM_INTERLEAVING=true", "BENCHMARK_MIN_WARMUP_TIME=0.001"}) {
    const std::string command =
        "env RUN_TEST_INSIDE=1 " + variable + " BENCHMARK_OUT=" + out + " /proc/" +
        std::to_string(::getpid()) +
        "/exe --gtest_filter=Engine.is_not_led_astray_by_variables_of_google_benchmark "
        ">/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << variable;
  }
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
