#include "cuda/device_select.hpp"

#include <gtest/gtest.h>

namespace {

using cuda::normal_pci;
using cuda::select_device;
using cuda::VisibleDevice;

const std::vector<VisibleDevice> kTwo = {
    {0, "NVIDIA H200", "GPU-3f2a1b0c-0000-0000-0000-000000000001", "0000:0a:00.0"},
    {1, "NVIDIA H200", "GPU-3f2b1b0c-0000-0000-0000-000000000002", "0001:1b:00.0"}};

int chosen(std::string_view wanted, const std::vector<VisibleDevice>& visible = kTwo) {
  const auto result = select_device(wanted, visible);
  return std::holds_alternative<int>(result) ? std::get<int>(result) : -1;
}

std::string refusal(std::string_view wanted, const std::vector<VisibleDevice>& visible = kTwo) {
  const auto result = select_device(wanted, visible);
  return std::holds_alternative<std::string>(result) ? std::get<std::string>(result) : "";
}

TEST(SelectDevice, takes_the_first_when_nothing_is_asked_for) { EXPECT_EQ(chosen(""), 0); }

TEST(SelectDevice, takes_an_index_among_the_visible) {
  EXPECT_EQ(chosen("1"), 1);
  EXPECT_EQ(refusal("2").substr(0, 31), "no visible device has index '2'");
  EXPECT_NE(refusal("99999999999999999999").find("has index"), std::string::npos);
}

TEST(SelectDevice, takes_a_uuid_or_a_prefix_that_only_one_has) {
  EXPECT_EQ(chosen("GPU-3f2b"), 1);
  EXPECT_EQ(chosen("gpu-3F2A1B0C-0000-0000-0000-000000000001"), 0);
  EXPECT_NE(refusal("GPU-3f2").find("is not unique"), std::string::npos);
  EXPECT_NE(refusal("GPU-3f2").find("1 NVIDIA H200 GPU-3f2b"), std::string::npos);
  EXPECT_NE(refusal("MIG-3f2a").find("no visible device has UUID"), std::string::npos);
}

TEST(SelectDevice, takes_a_pci_id_as_cuda_nvml_or_lspci_write_it) {
  for (const char* const id : {"0000:0a:00.0", "00000000:0A:00.0", "0a:00.0", "0A:00"}) {
    EXPECT_EQ(chosen(id), 0) << id;
  }
  EXPECT_EQ(chosen("1:1b:0.0"), 1);
  EXPECT_NE(refusal("1b:00.0").find("has PCI id"), std::string::npos);  // that one's domain is 1
}

TEST(SelectDevice, says_what_may_be_written_and_what_is_there) {
  for (const char* const nonsense : {"-1", "0,1", "H200", "0a:zz.0", "::", "all", "0a:00.9"}) {
    const std::string text = refusal(nonsense);
    EXPECT_NE(text.find("is no device: write an index"), std::string::npos) << nonsense;
    EXPECT_NE(text.find("GPU-3f2a"), std::string::npos) << nonsense;
  }
  EXPECT_EQ(refusal("", {}), "no visible device");
}

TEST(NormalPci, is_one_form_or_empty) {
  EXPECT_EQ(normal_pci("00000000:0A:1F.7"), "0000:0a:1f.7");
  for (const char* const bad :
       {"", "0a", "0a:00.0:1:2", "0a:20.0", "1ff:00.0", "0a:00.8", ":00.0"}) {
    EXPECT_EQ(normal_pci(bad), "") << bad;
  }
}

}  // namespace
