#include "cuda/levels.hpp"

#include <gtest/gtest.h>

#include "cuda/compute_capability.hpp"

namespace {

using cuda::capability_facts;

// What the runtime reports on an H200.
cuda::DeviceInfo hopper() {
  return {.name = "NVIDIA H200",
          .uuid = "GPU-1",
          .pci = "0000:0a:00.0",
          .compute_major = 9,
          .compute_minor = 0,
          .sm_count = 132,
          .memory_bytes = 150'000'000'000,
          .free_memory_bytes = 149'000'000'000,
          .l2_bytes = 60 << 20,
          .shared_per_sm_bytes = 228 << 10,
          .shared_per_block_optin_bytes = 227 << 10,
          .l1_array_bytes = 256 << 10,
          .l1_bytes = 248 << 10,
          .memory_bus_bits = 6144,
          .memory_clock_hertz = 3.201e9,
          .registers_per_sm_bytes = 256 << 10};
}

TEST(CapabilityFacts, are_those_of_the_programming_guide) {
  EXPECT_EQ(capability_facts(9, 0)->l1_array_bytes, 256U << 10);
  EXPECT_EQ(capability_facts(9, 0)->smallest_carveout_bytes, 8U << 10);
  EXPECT_EQ(capability_facts(9, 0)->fma_lanes_per_cycle, 128);
  EXPECT_EQ(capability_facts(8, 0)->l1_array_bytes, 192U << 10);
  EXPECT_EQ(capability_facts(8, 0)->fma_lanes_per_cycle, 64);
  EXPECT_EQ(capability_facts(8, 6)->l1_array_bytes, 128U << 10);
  EXPECT_FALSE(capability_facts(8, 6)->has_hbm);
  EXPECT_EQ(capability_facts(7, 5)->l1_array_bytes, 96U << 10);
  EXPECT_EQ(capability_facts(7, 5)->smallest_carveout_bytes, 32U << 10);
  EXPECT_FALSE(capability_facts(6, 1));
  EXPECT_FALSE(capability_facts(99, 0));
}

TEST(DeviceLevels, of_hopper_are_five_nearest_first) {
  const auto levels = cuda::device_levels(hopper());
  std::vector<std::string> names;
  for (const core::Level& level : levels) {
    names.push_back(level.name);
    EXPECT_GT(level.stated_capacity_bytes, 0) << level.name;
    EXPECT_FALSE(level.stated_by.empty()) << level.name;
    EXPECT_FALSE(level.ceiling_source.empty()) << level.name;
    EXPECT_FALSE(level.scope.empty()) << level.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"Registers", "Shared", "L1", "L2", "HBM"}));
}

TEST(DeviceLevels, carry_only_ceilings_that_are_known) {
  const auto levels = cuda::device_levels(hopper());
  EXPECT_EQ(levels[0].ceiling_operations_per_cycle_per_sm, 128);
  EXPECT_EQ(levels[1].ceiling_bytes_per_cycle_per_sm, 128);
  EXPECT_EQ(levels[2].ceiling_bytes_per_cycle_per_sm, 128);
  EXPECT_EQ(levels[2].reached_by, "ca");
  EXPECT_EQ(levels[3].ceiling_bytes_per_s, 0);
  EXPECT_EQ(levels[3].ceiling_bytes_per_cycle_per_sm, 0);
  EXPECT_EQ(levels[3].reached_by, "cg");
  EXPECT_NEAR(levels[4].ceiling_bytes_per_s, 4.9167e12, 1e8);
  EXPECT_NE(levels[4].ceiling_source.find("3201 MHz memory clock x 2 x 6144 bits / 8"),
            std::string::npos);
}

TEST(DeviceLevels, say_what_is_not_known_of_a_device_that_the_tables_lack) {
  cuda::DeviceInfo unknown = hopper();
  unknown.compute_major = 99;
  unknown.l1_array_bytes = 0;
  unknown.l1_bytes = 0;
  unknown.memory_clock_hertz = 0;
  const auto levels = cuda::device_levels(unknown);
  EXPECT_EQ(levels[0].ceiling_operations_per_cycle_per_sm, 0);
  EXPECT_NE(levels[0].ceiling_source.find("not known"), std::string::npos);
  EXPECT_NE(levels[2].stated_by.find("not known"), std::string::npos);
  EXPECT_EQ(levels[4].ceiling_bytes_per_s, 0);
  EXPECT_NE(levels[4].ceiling_source.find("none known"), std::string::npos);
  EXPECT_FALSE(cuda::device_capacities(unknown).has("l1"));
}

TEST(DeviceLevels, call_memory_that_is_not_stacked_by_another_name) {
  cuda::DeviceInfo ada = hopper();
  ada.compute_major = 8;
  ada.compute_minor = 9;
  EXPECT_EQ(cuda::device_levels(ada)[4].name, "DRAM");
}

TEST(DeviceCapacities, are_named_as_configurations_name_them) {
  const auto capacities = cuda::device_capacities(hopper());
  EXPECT_EQ(capacities.get("l1"), 248 << 10);
  EXPECT_EQ(capacities.get("l1_total"), std::int64_t{248 << 10} * 132);
  EXPECT_EQ(capacities.get("l2"), 60 << 20);
  EXPECT_EQ(capacities.get("shared"), 227 << 10);
  EXPECT_EQ(capacities.get("memory"), 150'000'000'000);
  EXPECT_EQ(capacities.get("free_memory"), 149'000'000'000 - (256 << 20));
  EXPECT_EQ(capacities.get("sm_count"), 132);
}

}  // namespace
