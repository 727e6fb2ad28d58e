#include "app/choice.hpp"

#include <gtest/gtest.h>

#include "fake_backend.hpp"

namespace app {
namespace {

const BackendEntry kHost = fake("host", "a CPU");

Choice chosen(const std::vector<BackendEntry>& backends, const CommandLine& line = {}) {
  return choose(line, backends, "configs");
}

template <typename Do>
std::string refusal(int code, Do act) {
  try {
    act();
  } catch (const core::Error& error) {
    EXPECT_EQ(error.exit_code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(Choice, without_a_configuration_is_the_map_of_the_gpu_that_is_here) {
  EXPECT_EQ(chosen({fake("cuda", "NVIDIA H200"), kHost}).file, "configs/h200.yaml");
  EXPECT_EQ(chosen({fake("cuda", "NVIDIA H100 80GB HBM3"), kHost}).file, "configs/h100.yaml");
}

TEST(Choice, for_a_gpu_that_is_not_known_is_the_general_map) {
  const Choice choice = chosen({fake("cuda", "NVIDIA A10"), kHost});
  EXPECT_EQ(choice.file, "configs/gpu.yaml");
  EXPECT_NE(choice.why.find("NVIDIA A10"), std::string::npos);
}

TEST(Choice, without_a_gpu_is_this_cpu_and_says_why) {
  const Choice choice = chosen({fake("cuda", "", "there is no driver"), kHost});
  EXPECT_EQ(choice.file, "configs/host.yaml");
  EXPECT_NE(choice.why.find("there is no driver"), std::string::npos);
  EXPECT_EQ(chosen({kHost}).file, "configs/host.yaml");
  EXPECT_NE(chosen({kHost}).why.find("no CUDA backend"), std::string::npos);
}

TEST(Choice, of_a_device_that_is_not_there_is_no_silent_run_on_the_cpu) {
  CommandLine line;
  line.device = "1";
  const std::string text = refusal(3, [&] {
    chosen({fake("cuda", "", "there is no driver"), kHost}, line);
  });
  EXPECT_NE(text.find("there is no driver"), std::string::npos);
}

TEST(Choice, of_the_caller_stands_and_asks_nobody) {
  CommandLine line;
  line.config = "mine.yaml";
  EXPECT_EQ(chosen({}, line).file, "mine.yaml");
  EXPECT_EQ(chosen({}, line).why, "");
}

TEST(Choice, for_an_assumed_device_needs_none) {
  CommandLine line;
  line.assume = "h100";
  EXPECT_EQ(chosen({kHost}, line).file, "configs/h100.yaml");
  line.assume = "h300";
  const std::string text = refusal(64, [&] { chosen({kHost}, line); });
  EXPECT_NE(text.find("h100, h200"), std::string::npos) << text;
}

TEST(Backend, that_this_build_lacks_is_said_with_what_works_instead) {
  config::Config config;
  config.backend = "cuda";
  const std::string text = refusal(3, [&] {
    make_backend(config, {"configs/h100.yaml", ""}, {}, {kHost});
  });
  EXPECT_NE(text.find("configs/h100.yaml"), std::string::npos) << text;
  EXPECT_NE(text.find("configs/host.yaml"), std::string::npos) << text;
}

TEST(Backend, without_a_device_is_refused_with_the_reason_and_what_works_instead) {
  config::Config config;
  config.backend = "cuda";
  FakeBackend backend("", "there is no driver");
  const std::string text = refusal(3, [&] {
    require_available(backend, config, {"configs/h100.yaml", ""});
  });
  EXPECT_NE(text.find("there is no driver"), std::string::npos) << text;
  EXPECT_NE(text.find("configs/host.yaml"), std::string::npos) << text;
}

TEST(Backend, of_this_cpu_has_no_device_to_choose) {
  config::Config config;
  config.backend = "host";
  CommandLine line;
  line.device = "0";
  refusal(64, [&] { make_backend(config, {"configs/host.yaml", ""}, line, {kHost}); });
}

TEST(Configuration, is_meant_for_its_own_device_or_for_any) {
  config::Config config;
  core::Description device;
  device.device = "NVIDIA H200";
  config.device = "h200";
  EXPECT_TRUE(is_meant(config, device));
  config.device = "h100";
  EXPECT_FALSE(is_meant(config, device));
  config.device = "any";
  EXPECT_TRUE(is_meant(config, device));
  device.device = "NVIDIA A10";
  config.device = "h200";
  EXPECT_FALSE(is_meant(config, device));
}

TEST(Configuration, for_any_device_names_none) {
  core::Description device{.backend = "cuda", .device = "NVIDIA H200"};
  config::Config config;
  config.device = "any";
  EXPECT_FALSE(names(config, device));
  config.device = "h200";
  EXPECT_TRUE(names(config, device));
  config.device = "h100";
  EXPECT_FALSE(names(config, device));
}

}  // namespace
}  // namespace app
