#include "cuda/nvml.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/health.hpp"

namespace {

using cuda::Health;
using cuda::NvmlDevice;
using cuda::NvmlLibrary;

void pass(const char* library, unsigned long long ns, unsigned long long mask) {
  void* const open = dlopen(library, RTLD_NOW);
  using Pass = void(unsigned long long, unsigned long long);
  reinterpret_cast<Pass*>(dlsym(open, "fake_nvml_pass"))(ns, mask);
  dlclose(open);
}

bool mentions(const std::vector<std::string>& all, const std::string& text) {
  return std::ranges::any_of(
      all, [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

TEST(Nvml, that_is_not_there_is_a_reason_and_no_error) {
  const NvmlLibrary library("libno-such-nvml.so.1");
  EXPECT_FALSE(library.usable());
  EXPECT_NE(library.refusal().find("libno-such-nvml.so.1"), std::string::npos);

  const NvmlDevice device(library, "GPU-board", "0000:0a:00.0");
  core::Description description;
  cuda::add_nvml_facts(device, description);
  EXPECT_TRUE(description.properties.empty());
  ASSERT_EQ(description.missing.size(), 1U);
  EXPECT_NE(description.missing[0].find("libno-such-nvml.so.1"), std::string::npos);
  EXPECT_TRUE(Health(device).read().empty());
}

TEST(Nvml, finds_a_board_by_its_uuid_and_else_by_its_pci_id) {
  const NvmlLibrary library(FAKE_NVML);
  ASSERT_TRUE(library.usable()) << library.refusal();
  const NvmlDevice by_uuid(library, "GPU-board", "ffff:ff:00.0");
  EXPECT_TRUE(by_uuid.refusal().empty());
  const NvmlDevice by_pci(library, "GPU-unknown", "0000:0a:00.0");
  EXPECT_EQ(by_pci.board(), by_uuid.board());
  const NvmlDevice neither(library, "GPU-unknown", "ffff:ff:00.0");
  EXPECT_NE(neither.refusal().find("GPU-unknown"), std::string::npos);
}

TEST(Nvml, asks_the_board_of_a_mig_instance) {
  const NvmlLibrary library(FAKE_NVML);
  const NvmlDevice instance(library, "MIG-slice", "ffff:ff:00.0");
  EXPECT_TRUE(instance.is_mig());
  EXPECT_EQ(instance.board(), NvmlDevice(library, "GPU-board", "").board());
}

TEST(Nvml, files_what_it_reads_in_base_units_and_the_rest_with_its_reason) {
  const NvmlLibrary library(FAKE_NVML);
  core::Description description;
  cuda::add_nvml_facts(NvmlDevice(library, "GPU-board", ""), description);
  EXPECT_EQ(core::find(description.properties, "serial")->value,
            core::Fact::Value(std::string("1650522000000")));
  EXPECT_EQ(core::find(description.explanations, "power_limit_w")->value, core::Fact::Value(700.0));
  EXPECT_EQ(core::find(description.explanations, "driver_version")->value,
            core::Fact::Value(std::string("580.95.05")));
  EXPECT_EQ(core::find(description.explanations, "ecc")->value, core::Fact::Value(true));
  EXPECT_EQ(core::find(description.explanations, "ecc_pending")->value, core::Fact::Value(false));
  EXPECT_EQ(core::find(description.state, "sm_clock_hertz")->value,
            core::Fact::Value(std::int64_t{1'980'000'000}));
  EXPECT_EQ(core::find(description.properties, "board_part_number"), nullptr);
  EXPECT_TRUE(mentions(description.missing, "board_part_number: Not Supported"));
  EXPECT_TRUE(mentions(description.missing, "vbios_version: this driver's NVML lacks"));
}

TEST(Health, of_a_point_is_what_passed_between_its_ends) {
  const NvmlLibrary library(FAKE_NVML);
  const Health health(NvmlDevice(library, "GPU-board", ""), 1e9);
  const auto before = health.read();
  pass(FAKE_NVML, 1'000'000, 0x4);
  const auto delta = cuda::health_delta(health.items(), before, health.read());
  pass(FAKE_NVML, 0, 0);
  ASSERT_NE(core::find(delta, "power_event_time", "ns"), nullptr);
  EXPECT_EQ(core::find(delta, "power_event_time", "ns")->value, 1e6);
  EXPECT_DOUBLE_EQ(core::find(delta, "energy", "joules")->value, 200);
  EXPECT_EQ(core::find(delta, "clock_event_reasons", "mask")->value, 4);
  EXPECT_EQ(core::find(delta, "sm_clock", "hertz")->value, 1.98e9);
  EXPECT_EQ(core::find(delta, "pcie_replays", "count")->value, 0);
  EXPECT_EQ(core::find(delta, "thermal_event_time", "ns"), nullptr);
  EXPECT_TRUE(mentions(health.missing(), "health thermal_event_time"));
}

TEST(Health, of_a_driver_before_the_renaming_is_read_all_the_same) {
  const NvmlLibrary library(FAKE_NVML_OLD);
  ASSERT_TRUE(library.usable()) << library.refusal();
  const Health health(NvmlDevice(library, "GPU-board", ""), 1e9);
  const auto before = health.read();
  pass(FAKE_NVML_OLD, 3'000, 0x20);
  const auto delta = cuda::health_delta(health.items(), before, health.read());
  ASSERT_NE(core::find(delta, "power_event_time", "ns"), nullptr);
  EXPECT_EQ(core::find(delta, "power_event_time", "ns")->value, 3'000);
  ASSERT_NE(core::find(delta, "clock_event_reasons", "mask"), nullptr);
  EXPECT_EQ(core::find(delta, "clock_event_reasons", "mask")->value, 0x20);
  EXPECT_TRUE(mentions(health.missing(), "health energy"));
}

TEST(Health, leaves_out_what_takes_longer_than_the_budget_and_says_so) {
  const NvmlLibrary library(FAKE_NVML);
  const Health health(NvmlDevice(library, "GPU-board", ""), 0);
  EXPECT_TRUE(health.items().empty());
  EXPECT_TRUE(mentions(health.missing(), "power_event_time: too slow"));
}

TEST(Health, of_fields_narrower_than_64_bits_keeps_only_their_own_bits) {
  const NvmlLibrary library(FAKE_NVML);
  const Health health(NvmlDevice(library, "GPU-board", ""), 1e9);
  const auto values = health.read();
  const auto at = std::ranges::find(health.items(), "pcie_replays", &cuda::HealthItem::name);
  ASSERT_NE(at, health.items().end());
  EXPECT_EQ(values[static_cast<std::size_t>(at - health.items().begin())], 7);
}

}  // namespace
