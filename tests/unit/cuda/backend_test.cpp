#include "cuda/backend.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/error.hpp"
#include "cuda/description.hpp"
#include "cuda/driver.hpp"

namespace {

TEST(Backend, lists_its_probes_without_a_device) {
  EXPECT_NO_THROW(cuda::make_backend("")->probes());
}

TEST(Backend, refuses_in_one_line_where_there_is_no_driver) {
  if (cuda::probe_driver().version != 0) {
    GTEST_SKIP() << "this machine has a driver";
  }
  const auto backend = cuda::make_backend("GPU-00000000");
  const std::string refusal = backend->unavailable();
  EXPECT_NE(refusal.find("no NVIDIA driver"), std::string::npos) << refusal;
  EXPECT_EQ(refusal.find('\n'), std::string::npos);
  EXPECT_THROW(backend->describe(), core::UnavailableError);
  EXPECT_THROW(backend->prepare(1 << 20), core::UnavailableError);
}

TEST(Backend, fails_a_point_that_it_has_no_probe_for) {
  EXPECT_THROW(cuda::make_backend("")->measure({.probe = "latency/no_such", .settings = {}}, {}),
               core::MeasureError);
}

TEST(Backend, loads_modules_eagerly_unless_the_user_chose) {
  setenv("CUDA_MODULE_LOADING", "LAZY", 1);
  cuda::make_backend("");
  EXPECT_STREQ(std::getenv("CUDA_MODULE_LOADING"), "LAZY");
  unsetenv("CUDA_MODULE_LOADING");
  cuda::make_backend("");
  EXPECT_STREQ(std::getenv("CUDA_MODULE_LOADING"), "EAGER");
}

TEST(EnvironmentFacts, record_what_restricts_the_visible_devices) {
  setenv("CUDA_VISIBLE_DEVICES", "MIG-abc", 1);
  EXPECT_EQ(core::find(cuda::environment_facts(), "cuda_visible_devices")->value,
            core::Fact::Value(std::string("MIG-abc")));
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(core::find(cuda::environment_facts(), "cuda_visible_devices")->value,
            core::Fact::Value(std::string("not set")));
}

}  // namespace
