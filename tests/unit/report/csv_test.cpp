#include <gtest/gtest.h>

#include <limits>

#include "report/terminal.hpp"

namespace {

core::Point point(std::int64_t footprint_bytes) {
  return {.probe = "latency/global", .settings = {{"footprint", "bytes", footprint_bytes}}};
}

}  // namespace

TEST(Csv, has_one_row_a_measurement_and_equally_many_fields_in_each) {
  report::Results results;
  results.measurements = {
      {.point = point(1024),
       .summary = {{"latency", "cycles", 33.25, 33, 33.5, 0.9375, 5, 0.1},
                   {"latency", "ns", 16.8, 16.5, 17, 0.9375, 5, 0.1}}},
      {.point = point(2048), .status = core::Status::failed, .reason = "ended, \"elsewhere\"\nso"}};
  EXPECT_EQ(report::csv(results),
            "id,status,reason,metric,value,low,high,n,unit,"
            "metric_2,value_2,low_2,high_2,n_2,unit_2\r\n"
            "latency/global/footprint_bytes:1024,ok,,latency,33.25,33,33.5,5,cycles,"
            "latency,16.8,16.5,17,5,ns\r\n"
            "latency/global/footprint_bytes:2048,failed,\"ended, \"\"elsewhere\"\"\nso\","
            ",,,,,,,,,,,\r\n");
}

TEST(Csv, leaves_what_is_no_number_empty) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  report::Results results;
  results.measurements = {
      {.point = point(1024), .summary = {{"cost", "ns", nan, nan, 2, 0, 1, 0}}}};
  EXPECT_NE(report::csv(results).find("1024,ok,,cost,,,2,1,ns\r\n"), std::string::npos);
}
