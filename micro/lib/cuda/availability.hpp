#pragma once
// Why the GPU cannot be used, as one line with the remedy: pure, so that every text can be tested
// without a device.

#include <cuda_runtime_api.h>

#include <span>
#include <string>

#include "cuda/fatbin.hpp"

namespace cuda {

/// Of an error of cudaGetDeviceCount. `visible` is CUDA_VISIBLE_DEVICES, or nullptr when unset.
std::string count_refusal(cudaError_t error, const char* visible);

/// Of an error met when the context of `device` ("0 NVIDIA H200 GPU-...") was made. `compute_mode`
/// is cudaComputeMode.
std::string context_refusal(cudaError_t error, const std::string& device, int compute_mode);

/// Empty when the compute mode lets this process try, else why not.
std::string compute_mode_refusal(const std::string& device, int compute_mode);

/// Empty when the program has code that runs on that compute capability.
std::string architecture_refusal(std::span<const DeviceImage> images, const std::string& device,
                                 int major, int minor);

}  // namespace cuda
