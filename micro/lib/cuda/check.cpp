#include "cuda/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "core/error.hpp"
#include "core/units.hpp"

namespace cuda {
namespace {

// The runtime's documentation says of each: "the process must be terminated and relaunched", or it
// is the driver's word for a device or context that is gone. Numbers stand where CUDA 12 headers
// have no name yet.
constexpr int kContained = 221;         // cudaErrorContained, 12.8
constexpr int kTensorMemoryLeak = 721;  // cudaErrorTensorMemoryLeak, 12.9
constexpr std::array kSticky = {
    static_cast<int>(cudaErrorCudartUnloading),
    static_cast<int>(cudaErrorDeviceUninitialized),
    static_cast<int>(cudaErrorECCUncorrectable),
    static_cast<int>(cudaErrorNvlinkUncorrectable),
    kContained,
    static_cast<int>(cudaErrorIllegalAddress),
    static_cast<int>(cudaErrorLaunchTimeout),
    static_cast<int>(cudaErrorContextIsDestroyed),
    static_cast<int>(cudaErrorAssert),
    static_cast<int>(cudaErrorHardwareStackError),
    static_cast<int>(cudaErrorIllegalInstruction),
    static_cast<int>(cudaErrorMisalignedAddress),
    static_cast<int>(cudaErrorInvalidAddressSpace),
    static_cast<int>(cudaErrorInvalidPc),
    static_cast<int>(cudaErrorLaunchFailure),
    kTensorMemoryLeak,
    static_cast<int>(cudaErrorMpsClientTerminated),
    static_cast<int>(cudaErrorExternalDevice),
    // What the runtime answers once a device fell off the bus.
    static_cast<int>(cudaErrorNoDevice),
    static_cast<int>(cudaErrorUnknown),
};

std::string_view from_micro(std::string_view file) {
  const auto at = file.rfind("/micro/");
  return at == std::string_view::npos ? file : file.substr(at + 1);
}

std::string free_memory_text() {
  std::size_t free = 0;
  std::size_t total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
    return {};
  }
  return fmt::format("; free: {} of {}", core::format_bytes(static_cast<std::int64_t>(free)),
                     core::format_bytes(static_cast<std::int64_t>(total)));
}

}  // namespace

ErrorClass classify(cudaError_t error) {
  if (error == cudaErrorMemoryAllocation) {
    return ErrorClass::memory;
  }
  const bool sticky = std::ranges::find(kSticky, static_cast<int>(error)) != kSticky.end();
  return sticky ? ErrorClass::device_lost : ErrorClass::point;
}

std::string error_text(cudaError_t error, const char* expression, const char* file, int line) {
  return fmt::format("{} ({}, {}) from {} at {}:{}", cudaGetErrorName(error),
                     static_cast<int>(error), cudaGetErrorString(error), expression,
                     from_micro(file), line);
}

void throw_error(cudaError_t error, const char* expression, const char* file, int line) {
  std::string text = error_text(error, expression, file, line);
  const ErrorClass error_class = classify(error);
  if (error_class == ErrorClass::device_lost) {
    throw core::DeviceLostError(text);
  }
  cudaGetLastError();
  if (error_class == ErrorClass::memory) {
    throw core::SkipError(text + free_memory_text());
  }
  throw core::MeasureError(text);
}

}  // namespace cuda
