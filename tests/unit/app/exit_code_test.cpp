#include <gtest/gtest.h>

#include "app/pipeline.hpp"

namespace app {
namespace {

report::Results with(const std::vector<core::Status>& statuses) {
  report::Results results;
  for (const core::Status status : statuses) {
    core::Measurement measurement;
    measurement.status = status;
    results.measurements.push_back(measurement);
  }
  return results;
}

using enum core::Status;

TEST(ExitCode, is_0_when_all_points_are_ok_or_skipped) {
  EXPECT_EQ(exit_code(with({ok, skipped, ok})), 0);
}

TEST(ExitCode, is_1_for_one_unstable_or_invalid_point) {
  EXPECT_EQ(exit_code(with({ok, unstable})), 1);
  EXPECT_EQ(exit_code(with({invalid, ok, skipped})), 1);
}

TEST(ExitCode, is_3_for_one_failed_point_whatever_the_others_are) {
  EXPECT_EQ(exit_code(with({unstable, failed, ok})), 3);
}

TEST(ExitCode, is_3_for_an_incomplete_run_even_when_every_point_is_ok) {
  report::Results results = with({ok});
  results.complete = false;
  EXPECT_EQ(exit_code(results), 3);
}

}  // namespace
}  // namespace app
