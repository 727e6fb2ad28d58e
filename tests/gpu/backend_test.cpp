// What the backend makes of a probe's outcome, on a device: probes of this file that only succeed or fail.

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/error.hpp"
#include "cuda/backend.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"

namespace {

core::ProbeSpec named(const char* name) {
  return {.name = name, .answers = "nothing", .question = "none", .method = "none"};
}

core::Samples works(cuda::Context& context, const core::Point&, const core::Trial& trial) {
  const std::byte* const place = context.arena.place(1024, 128, trial);
  const auto offset = static_cast<double>(context.arena.offset_of(place));
  return {.metrics = {{"offset", "bytes", offset}}};
}

core::Samples throws(cuda::Context&, const core::Point&, const core::Trial&) {
  throw std::out_of_range("no such axis");
}

core::Samples forgets_an_error(cuda::Context&, const core::Point&, const core::Trial&) {
  cudaSetDevice(4000);
  return {.metrics = {}};
}

core::Samples loses_the_device(cuda::Context&, const core::Point&, const core::Trial&) {
  throw core::DeviceLostError("fell off the bus");
}

const cuda::Registered kWorks{named("overhead/test_works"), works};
const cuda::Registered kThrows{named("overhead/test_throws"), throws};
const cuda::Registered kForgets{named("overhead/test_forgets"), forgets_an_error};
const cuda::Registered kLoses{named("overhead/test_loses"), loses_the_device};
constexpr std::size_t kProbesOfThisFile = 4;

class PreparedBackend : public testing::Test {
 protected:
  void SetUp() override {
    backend_ = cuda::make_backend("");
    if (const std::string reason = backend_->unavailable(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }

  core::Samples measure(const char* probe) {
    return backend_->measure({.probe = probe, .settings = {}}, {.seed = 1, .repetition = 0});
  }

  std::unique_ptr<core::Backend> backend_;
};

TEST_F(PreparedBackend, measures_nothing_before_prepare) {
  EXPECT_THROW(measure("overhead/test_works"), core::MeasureError);
}

TEST_F(PreparedBackend, adds_health_to_what_a_probe_gives) {
  backend_->prepare(1 << 20);
  const core::Samples samples = measure("overhead/test_works");
  EXPECT_EQ(samples.metrics.size(), 1U);
  EXPECT_FALSE(samples.health.empty());
  EXPECT_EQ(measure("overhead/test_works").metrics, samples.metrics);  // same trial, same place
}

TEST_F(PreparedBackend, makes_any_exception_the_points_own_and_goes_on) {
  backend_->prepare(1 << 20);
  EXPECT_THROW(measure("overhead/test_throws"), core::MeasureError);
  EXPECT_NO_THROW(measure("overhead/test_works"));
}

TEST_F(PreparedBackend, blames_the_point_that_left_an_error_behind_and_not_the_next) {
  backend_->prepare(1 << 20);
  EXPECT_THROW(measure("overhead/test_forgets"), core::MeasureError);
  EXPECT_NO_THROW(measure("overhead/test_works"));
}

TEST_F(PreparedBackend, repeats_the_first_reason_at_once_after_the_device_was_lost) {
  backend_->prepare(1 << 20);
  EXPECT_THROW(measure("overhead/test_loses"), core::DeviceLostError);
  try {
    measure("overhead/test_works");
    FAIL() << "a lost device measured";
  } catch (const core::DeviceLostError& error) {
    EXPECT_STREQ(error.what(), "fell off the bus");
  }
}

TEST(ProbesOfThisBuild, are_listed_without_a_device) {
  EXPECT_GT(cuda::make_backend("")->probes().size(), kProbesOfThisFile);
}

}  // namespace
