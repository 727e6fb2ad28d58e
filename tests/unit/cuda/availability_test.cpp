#include "cuda/availability.hpp"

#include <gtest/gtest.h>

namespace {

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos && text.find('\n') == std::string::npos;
}

TEST(Availability, of_no_device_names_what_hides_it) {
  EXPECT_TRUE(has(cuda::count_refusal(cudaErrorNoDevice, ""), "CUDA_VISIBLE_DEVICES=''"));
  EXPECT_TRUE(has(cuda::count_refusal(cudaErrorNoDevice, "7"), "unset it"));
  const std::string nothing_hides = cuda::count_refusal(cudaErrorNoDevice, nullptr);
  EXPECT_TRUE(has(nothing_hides, "--gpus all"));
  EXPECT_FALSE(has(nothing_hides, "CUDA_VISIBLE_DEVICES"));
}

TEST(Availability, names_a_remedy_for_each_way_in_which_cuda_does_not_start) {
  EXPECT_TRUE(has(cuda::count_refusal(cudaErrorInsufficientDriver, nullptr), "install driver r"));
  EXPECT_TRUE(has(cuda::count_refusal(cudaErrorSystemNotReady, nullptr), "nvidia-fabricmanager"));
  EXPECT_TRUE(has(cuda::count_refusal(cudaErrorSystemDriverMismatch, nullptr), "reboot"));
  EXPECT_TRUE(
      has(cuda::count_refusal(cudaErrorCompatNotSupportedOnDevice, nullptr), "LD_LIBRARY_PATH"));
  EXPECT_TRUE(has(cuda::count_refusal(cudaErrorUnknown, nullptr), "cudaErrorUnknown (999"));
}

TEST(Availability, of_a_busy_device_names_the_mode_that_makes_it_so) {
  EXPECT_TRUE(has(
      cuda::context_refusal(cudaErrorDevicesUnavailable, "0 X", cudaComputeModeExclusiveProcess),
      "'exclusive process'"));
  EXPECT_TRUE(has(cuda::context_refusal(cudaErrorDevicesUnavailable, "0 X", cudaComputeModeDefault),
                  "cudaErrorDevicesUnavailable"));
  EXPECT_TRUE(has(cuda::context_refusal(cudaErrorMemoryAllocation, "0 X", 0), "no memory left"));
  EXPECT_TRUE(has(cuda::context_refusal(cudaErrorECCUncorrectable, "0 X", 0), "dmesg"));
}

TEST(Availability, of_a_prohibited_device_is_refused_and_of_the_others_not) {
  EXPECT_TRUE(has(cuda::compute_mode_refusal("0 X", cudaComputeModeProhibited), "-c DEFAULT"));
  EXPECT_EQ(cuda::compute_mode_refusal("0 X", cudaComputeModeDefault), "");
  EXPECT_EQ(cuda::compute_mode_refusal("0 X", cudaComputeModeExclusiveProcess), "");
}

TEST(Availability, needs_code_for_the_device) {
  const std::vector<cuda::DeviceImage> images = {{.architecture = 90}};
  EXPECT_EQ(cuda::architecture_refusal(images, "0 X", 9, 0), "");
  const std::string older = cuda::architecture_refusal(images, "0 X", 8, 6);
  EXPECT_TRUE(has(older, "compute capability 8.6"));
  EXPECT_TRUE(has(older, "code for sm_90 only"));
  EXPECT_TRUE(has(older, "-DCMAKE_CUDA_ARCHITECTURES=86"));
  EXPECT_NE(cuda::architecture_refusal(images, "0 X", 10, 0), "");  // machine code is of one major
}

}  // namespace
