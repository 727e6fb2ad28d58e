#include "report/google_benchmark.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

core::Measurement measured(const char* probe, core::Status status, std::vector<double> times_ns) {
  core::Measurement measurement{
      .point = {.probe = probe, .settings = {{"footprint", "bytes", 1024}}}, .status = status};
  for (const double time_ns : times_ns)
    measurement.repetitions.push_back({.number = static_cast<int>(measurement.repetitions.size()),
                                       .samples = {.metrics = {}, .time_ns = time_ns}});
  return measurement;
}

}  // namespace

TEST(BenchmarkRows, are_one_a_repetition_with_four_keys) {
  const core::Json rows =
      report::google_benchmark_rows({measured("latency/global", core::Status::ok, {16.5, 17}),
                                     measured("latency/shared", core::Status::unstable, {11})});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].dump(),
            R"({"name":"latency/global/footprint_bytes:1024","real_time":17.0,"cpu_time":17.0,)"
            R"("time_unit":"ns"})");
}

TEST(BenchmarkRows, leave_out_what_is_no_number_worth_comparing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      report::google_benchmark_rows(
          {measured("a/b", core::Status::failed, {1}), measured("a/b", core::Status::skipped, {}),
           measured("a/b", core::Status::invalid, {1}), measured("a/b", core::Status::ok, {nan})}),
      core::Json::array());
}

TEST(BenchmarkContext, has_every_key_even_when_nothing_is_known) {
  const core::Json context = report::google_benchmark_context({});
  for (const char* key : {"date", "host_name", "executable", "num_cpus", "mhz_per_cpu",
                          "cpu_scaling_enabled", "caches", "load_avg", "library_build_type"})
    EXPECT_TRUE(context.contains(key)) << key;
  EXPECT_EQ(context.at("library_build_type"), "release");
}

TEST(BenchmarkContext, comes_from_the_facts_of_the_run) {
  report::Context run;
  run.started_utc = "2026-11-30T20:15:00.123Z";
  run.host = {{"hostname", std::string("node17")},
              {"cpu_count", std::int64_t{96}},
              {"cpu_mhz", 3500.4},
              {"cpu_scaling_enabled", true},
              {"load_average", std::vector<std::string>{"0.50", "1", "x"}}};
  run.program = {{"executable", std::string("/opt/suite")}, {"build_type", std::string("Debug")}};
  EXPECT_EQ(report::google_benchmark_context(run).dump(),
            R"({"date":"2026-11-30T20:15:00.123Z","host_name":"node17","executable":"/opt/suite",)"
            R"("num_cpus":96,"mhz_per_cpu":3500,"cpu_scaling_enabled":true,"caches":[],)"
            R"("load_avg":[0.5,1.0],"library_build_type":"debug"})");
}
