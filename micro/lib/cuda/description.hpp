#pragma once
// The device in words for the record: everything but what NVML adds.

#include <string>

#include "core/backend.hpp"
#include "cuda/device_info.hpp"

namespace cuda {

/// Identity, capacities, levels, properties and explanations of `device`, and the machine code that
/// this program (/proc/self/exe) has for it. What cannot be read becomes an entry of `missing`.
core::Description describe_device(const DeviceInfo& device);

/// CUDA_VISIBLE_DEVICES and what else the environment says to CUDA: set, or "not set".
core::Facts environment_facts();

/// MICRO_BRIEF is set: kernels run hundreds of times shorter, for the sanitizers, and figures mean nothing.
bool kernels_cut_short();

}  // namespace cuda
