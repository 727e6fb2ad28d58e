#pragma once
// How many blocks of a kernel an SM can hold at once, resource by resource.

#include <cstddef>

namespace cuda {

/// What one SM has to give. Counts, bytes.
struct SmResources {
  int threads = 0;
  int blocks = 0;
  int registers = 0;  // of 32 bits
  std::size_t shared_bytes = 0;
  std::size_t reserved_shared_bytes = 0;  // of each block, for the system
};

struct BlockNeeds {
  int threads = 0;
  int registers_per_thread = 0;
  std::size_t shared_bytes = 0;
};

/// Blocks that each resource alone would allow.
struct ResidencyLimits {
  int by_registers = 0;
  int by_shared = 0;
  int by_threads = 0;
  int by_blocks = 0;

  int blocks() const;
};

/// Registers are given to warps in units of 256 and lie in four parts of the SM, shared memory is given in
/// units of 128 bytes (CUDA programming guide, occupancy; compute capability 7.0 to 9.0).
ResidencyLimits residency_limits(const SmResources& sm, const BlockNeeds& block);

}  // namespace cuda
