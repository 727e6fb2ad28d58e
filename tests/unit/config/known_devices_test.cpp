#include "config/known_devices.hpp"

#include <gtest/gtest.h>

TEST(KnownDevices, are_found_by_key) {
  ASSERT_NE(config::known_device("h200"), nullptr);
  EXPECT_EQ(config::known_device("h200")->capacities.get("l2"), 62'914'560);
  EXPECT_EQ(config::known_device("h100")->capacities.get("l2"), 52'428'800);
  EXPECT_EQ(config::known_device("h100")->capacities.get("sm_count"), 132);
  EXPECT_EQ(config::known_device("a100"), nullptr);
}

TEST(KnownDevices, are_recognised_by_the_name_that_the_driver_reports) {
  const auto key = [](const char* name) {
    const auto* known = config::known_device_named(name);
    return known ? known->key : std::string("none");
  };
  EXPECT_EQ(key("NVIDIA H200"), "h200");
  EXPECT_EQ(key("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(key("NVIDIA H100 80GB HBM3 MIG 1g.10gb"), "none");
  EXPECT_EQ(key("NVIDIA GH200 480GB"), "none");
  EXPECT_EQ(key("NVIDIA H200 NVL"), "none");
  EXPECT_EQ(key("NVIDIA H100 PCIe"), "none");
  EXPECT_EQ(key("NVIDIA A100-SXM4-80GB"), "none");
}

TEST(KnownDevices, state_every_capacity_that_configurations_of_a_gpu_name) {
  for (const config::KnownDevice& known : config::known_devices())
    for (const char* name : {"l1", "l1_total", "l2", "shared", "memory", "free_memory", "sm_count"})
      EXPECT_GT(known.capacities.get(name), 0) << known.key << " " << name;
}
