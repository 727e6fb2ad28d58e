#include "cuda/check.hpp"

#include <gtest/gtest.h>

#include <array>

#include "core/error.hpp"

namespace {

using cuda::classify;
using cuda::ErrorClass;

TEST(Classify, errors_after_which_every_call_fails_as_a_lost_device) {
  for (const cudaError_t error :
       {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorLaunchTimeout,
        cudaErrorECCUncorrectable, cudaErrorNvlinkUncorrectable, cudaErrorHardwareStackError,
        cudaErrorIllegalInstruction, cudaErrorMisalignedAddress, cudaErrorInvalidAddressSpace,
        cudaErrorInvalidPc, cudaErrorAssert, cudaErrorContextIsDestroyed, cudaErrorNoDevice,
        cudaErrorUnknown, static_cast<cudaError_t>(221), static_cast<cudaError_t>(721)}) {
    EXPECT_EQ(classify(error), ErrorClass::device_lost) << cudaGetErrorName(error);
  }
}

TEST(Classify, errors_of_one_call_as_the_points_own) {
  for (const cudaError_t error :
       {cudaErrorInvalidValue, cudaErrorInvalidConfiguration, cudaErrorLaunchOutOfResources,
        cudaErrorCooperativeLaunchTooLarge, cudaErrorNotSupported, cudaErrorInvalidResourceHandle,
        cudaErrorNoKernelImageForDevice, cudaErrorDevicesUnavailable}) {
    EXPECT_EQ(classify(error), ErrorClass::point) << cudaGetErrorName(error);
  }
  EXPECT_EQ(classify(cudaErrorMemoryAllocation), ErrorClass::memory);
}

TEST(ErrorText, names_error_expression_and_place_below_micro) {
  const std::string text = cuda::error_text(cudaErrorIllegalAddress, "cudaFree(p)",
                                            "/somewhere/micro/else/micro/latency/x.cu", 12);
  EXPECT_NE(text.find("cudaErrorIllegalAddress (700,"), std::string::npos);
  EXPECT_NE(text.find("from cudaFree(p) at micro/latency/x.cu:12"), std::string::npos);
  EXPECT_EQ(text.find("somewhere"), std::string::npos);
}

TEST(Check, throws_by_class_and_says_what_was_called) {
  const auto failing = [](cudaError_t error) { return error; };
  EXPECT_NO_THROW(MICRO_CUDA_CHECK(failing(cudaSuccess)));
  EXPECT_THROW(MICRO_CUDA_CHECK(failing(cudaErrorAssert)), core::DeviceLostError);
  EXPECT_THROW(MICRO_CUDA_CHECK(failing(cudaErrorMemoryAllocation)), core::SkipError);
  try {
    MICRO_CUDA_CHECK(failing(cudaErrorInvalidValue));
    FAIL() << "nothing was thrown";
  } catch (const core::DeviceLostError&) {
    FAIL() << "an invalid value loses no device";
  } catch (const core::SkipError&) {
    FAIL() << "an invalid value skips nothing";
  } catch (const core::MeasureError& error) {
    EXPECT_NE(std::string(error.what()).find("failing(cudaErrorInvalidValue)"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("check_test.cpp"), std::string::npos);
  }
}

}  // namespace
