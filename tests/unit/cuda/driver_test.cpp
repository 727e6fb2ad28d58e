#include "cuda/driver.hpp"

#include <gtest/gtest.h>

namespace {

using cuda::driver_refusal;

TEST(Driver, that_is_missing_is_told_from_one_that_is_old) {
  const std::string missing = driver_refusal({.error = "libcuda.so.1: cannot open"}, 13000);
  EXPECT_NE(missing.find("no NVIDIA driver"), std::string::npos);
  EXPECT_NE(missing.find("libcuda.so.1: cannot open"), std::string::npos);
  EXPECT_NE(missing.find("r580"), std::string::npos);
  EXPECT_EQ(missing.find("too old"), std::string::npos);

  const std::string old = driver_refusal({.version = 12080}, 13000);
  EXPECT_NE(old.find("too old"), std::string::npos);
  EXPECT_NE(old.find("supports CUDA 12.8"), std::string::npos);
  EXPECT_NE(old.find("built with CUDA 13.0"), std::string::npos);
  EXPECT_NE(old.find("r580"), std::string::npos);
}

TEST(Driver, of_the_same_major_version_suffices) {
  EXPECT_EQ(driver_refusal({.version = 13000}, 13010), "");
  EXPECT_EQ(driver_refusal({.version = 12000}, 12090), "");
  EXPECT_EQ(driver_refusal({.version = 13000}, 12040), "");
  EXPECT_NE(driver_refusal({.version = 11080}, 12000), "");
}

TEST(Driver, refusals_are_one_line) {
  EXPECT_EQ(driver_refusal({.error = "x"}, 13000).find('\n'), std::string::npos);
  EXPECT_EQ(driver_refusal({.version = 11000}, 13000).find('\n'), std::string::npos);
}

TEST(Driver, oldest_that_works_is_named_by_major_version_of_the_runtime) {
  EXPECT_EQ(cuda::oldest_driver(11080), "r450");
  EXPECT_EQ(cuda::oldest_driver(12040), "r525");
  EXPECT_EQ(cuda::oldest_driver(13010), "r580");
  EXPECT_EQ(cuda::oldest_driver(14020), "the one that came with CUDA 14.0");
}

TEST(Driver, is_probed_without_failing_whether_it_is_there_or_not) {
  const cuda::DriverProbe driver = cuda::probe_driver();
  EXPECT_NE(driver.version == 0, driver.error.empty());
  if (driver.version == 0) {
    EXPECT_EQ(cuda::driver_uuid(0), "");
  }
}

}  // namespace
