#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/answers.hpp"
#include "core/median.hpp"
#include "host/vector_width.hpp"
#include "probe.hpp"

namespace {

using host_test::fact;
using host_test::measure;
using host_test::value;
using host_test::verdict;

core::Point bandwidth(const std::string& operation, std::int64_t footprint,
                      std::int64_t threads = 1) {
  return {"bandwidth/global",
          {{"operation", "", operation},
           {"footprint", "bytes", footprint},
           {"threads", "count", threads}}};
}

const char* check_of(const std::string& operation) {
  return operation == "read" ? "sum read" : "poison overwritten";
}

class BandwidthGlobal : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Operations, BandwidthGlobal,
                         testing::Values("read", "write", "copy", "triad"));

TEST_P(BandwidthGlobal, of_16_KiB_is_faster_than_memory_and_within_any_core) {
  host::Context context = host_test::context(64 << 20);
  const core::Samples near = measure(context, bandwidth(GetParam(), 16384));
  const core::Samples far = measure(context, bandwidth(GetParam(), 64 << 20));
  const double rate = value(near, "bandwidth", "bytes_per_s");
  EXPECT_GT(rate, value(far, "bandwidth", "bytes_per_s"));
  const double per_cycle = value(near, "bandwidth", "bytes_per_cycle_per_sm");
  EXPECT_NEAR(per_cycle, rate / near.clock.hertz(), 1e-9 * per_cycle);
  EXPECT_GT(per_cycle, 1);
  EXPECT_LT(per_cycle, 384);  // six registers of 64 bytes a cycle: no core has that
  for (const core::Samples* samples : {&near, &far})
    for (const core::Check& check : samples->checks)
      EXPECT_EQ(check.verdict, core::Verdict::pass) << check.name << ": " << check.detail;
}

TEST_P(BandwidthGlobal, is_the_median_of_what_the_raw_windows_give) {
  host::Context context = host_test::context(32 << 20);
  const core::Samples samples = measure(context, bandwidth(GetParam(), (32 << 20) + 192));
  const auto& bytes = samples.columns.at(0).values;
  const auto& ns = samples.columns.at(1).values;
  ASSERT_EQ(bytes.size(), ns.size());
  std::vector<double> rates;
  for (std::size_t window = 0; window < ns.size(); ++window)
    rates.push_back(bytes[window] / ns[window] * 1e9);
  EXPECT_EQ(value(samples, "bandwidth", "bytes_per_s"), core::median(rates));
  // Whole passes: what all windows moved is a multiple of what was walked.
  const double walked = samples.facts.at(0).value;
  const double passes = std::accumulate(bytes.begin(), bytes.end(), 0.0) / walked;
  EXPECT_EQ(passes, std::round(passes));
  EXPECT_GE(passes, 1);
}

TEST_P(BandwidthGlobal, walks_what_it_claims_to_a_line_an_array) {
  host::Context context = host_test::context(1 << 20);
  for (const std::int64_t footprint : {1024, 4160, 24576, 1 << 20}) {
    const core::Samples samples = measure(context, bandwidth(GetParam(), footprint));
    const double walked = samples.facts.at(0).value;
    EXPECT_LE(walked, static_cast<double>(footprint));
    EXPECT_GT(walked, static_cast<double>(footprint) - 3 * 64);
    EXPECT_EQ(verdict(samples, check_of(GetParam())), core::Verdict::pass);
  }
}

TEST_P(BandwidthGlobal, is_right_in_registers_of_every_width) {
  host::Context context = host_test::context(1 << 20);
  int widths = 0;
  for (const char* extension : {"baseline", "avx2", "avx512f"}) {
    if (!host::use_vector_extension(extension)) continue;
    ++widths;
    for (const std::int64_t footprint : {1024, 4160, 24640}) {  // whole turns, and remainders
      const core::Samples samples = measure(context, bandwidth(GetParam(), footprint));
      EXPECT_EQ(verdict(samples, check_of(GetParam())), core::Verdict::pass) << extension;
    }
  }
  host::use_vector_extension("");
  EXPECT_GE(widths, 1);
}

TEST_P(BandwidthGlobal, of_all_cores_checks_every_thread) {
  host::Context context = host_test::context(1 << 20);
  const std::int64_t threads = context.device.core_count;
  const core::Samples samples = measure(context, bandwidth(GetParam(), 65536 * threads, threads));
  EXPECT_EQ(verdict(samples, check_of(GetParam())), core::Verdict::pass);
  EXPECT_GT(value(samples, "bandwidth", "bytes_per_s"), 1e8);
}

TEST_P(BandwidthGlobal, fails_when_one_word_is_not_as_it_should_be) {
  host::Context context = host_test::context(65536);
  const auto spoil = [](std::span<std::byte> memory) { memory[4096 + 8] ^= std::byte{1}; };
  // What is read is spoilt before; what is written afterwards, as if a store had not been made.
  (GetParam() == std::string("read") ? context.faults.before_windows
                                     : context.faults.before_checks) = spoil;
  EXPECT_EQ(verdict(measure(context, bandwidth(GetParam(), 65536)), check_of(GetParam())),
            core::Verdict::fail);
}

TEST(BandwidthGlobalTeam, finds_a_spoilt_word_of_the_last_thread) {
  host::Context context = host_test::context(65536);
  const std::int64_t threads = context.device.core_count;
  context.faults.before_checks = [](std::span<std::byte> memory) { memory.back() ^= std::byte{1}; };
  EXPECT_EQ(verdict(measure(context, bandwidth("write", 65536, threads)), "poison overwritten"),
            core::Verdict::fail);
}

TEST(BandwidthGlobalSpec, refuses_and_skips_what_cannot_be) {
  const core::ProbeSpec& spec = host_test::probe("bandwidth/global").spec;
  EXPECT_EQ(spec.answers, core::answers::kLevelBandwidth);
  EXPECT_EQ(spec.refuse(bandwidth("triad", 1024, 1)), "");
  EXPECT_NE(spec.refuse(bandwidth("triad", 1024, 6)), "");
  EXPECT_EQ(spec.refuse(bandwidth("read", 1024, 6)), "");
  const core::Capacities two{{"sm_count", 2}, {"l2", 1 << 20}};
  EXPECT_EQ(spec.skip(bandwidth("read", 4096, 2), two), "");
  EXPECT_NE(spec.skip(bandwidth("read", 4096, 3), two), "");
  EXPECT_EQ(spec.cost(bandwidth("read", 128 << 20), two).memory_bytes, 128 << 20);
  EXPECT_GT(spec.cost(bandwidth("read", 128 << 20), two).seconds,
            spec.cost(bandwidth("read", 16384), two).seconds);
}

}  // namespace
