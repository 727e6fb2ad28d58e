#pragma once
// What the runtime says about the device, queried once.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda/device_select.hpp"

namespace cuda {

struct DeviceInfo {
  int ordinal = 0;  // among the visible devices
  std::string name;
  std::string uuid;  // "GPU-3f2a1b0c-..."
  std::string pci;   // "0000:0a:00.0"
  int compute_major = 0;
  int compute_minor = 0;
  int sm_count = 0;
  int max_threads_per_sm = 0;
  int max_blocks_per_sm = 0;
  std::size_t memory_bytes = 0;
  std::size_t free_memory_bytes = 0;  // when queried, before the arena
  std::size_t l2_bytes = 0;
  std::size_t shared_per_sm_bytes = 0;
  std::size_t shared_per_block_optin_bytes = 0;
  std::size_t l1_array_bytes = 0;  // L1 and shared memory together; by compute capability (CUDA
                                   // programming guide), 0: not known
  std::size_t l1_bytes = 0;        // what the smallest carve-out leaves of it
  int memory_bus_bits = 0;
  double memory_clock_hertz = 0;  // attribute: pin clock; pins move two bits a clock
  double max_sm_clock_hertz = 0;
  std::size_t registers_per_sm_bytes = 0;
  int compute_mode = 0;  // cudaComputeMode
  bool is_mig = false;   // a MIG instance: its numbers are the instance's, not the board's
};

/// The devices that this process may use, in CUDA's order; makes no context. Throws
/// core::UnavailableError with one line and the remedy.
std::vector<VisibleDevice> visible_devices();

/// Makes the device's context. Throws core::UnavailableError with one line and the remedy.
DeviceInfo query_device(int ordinal);

}  // namespace cuda
