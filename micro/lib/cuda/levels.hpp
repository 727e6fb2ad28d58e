#pragma once
// The levels that a device is known to have, with what is stated of each and what it cannot exceed.

#include <vector>

#include "core/backend.hpp"
#include "cuda/device_info.hpp"

namespace cuda {

/// Nearest first: Registers, Shared, L1, L2, HBM (DRAM where the board has no stacked memory).
std::vector<core::Level> device_levels(const DeviceInfo& device);

/// l1 l1_total l2 shared memory free_memory sm_count.
core::Capacities device_capacities(const DeviceInfo& device);

/// Bytes a second that the memory's pins can carry; 0 when the driver does not report both factors.
double pin_rate_bytes_per_s(const DeviceInfo& device);

}  // namespace cuda
