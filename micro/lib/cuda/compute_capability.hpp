#pragma once
// What the CUDA programming guide's tables say of a compute capability and no API reports.

#include <cstddef>
#include <optional>

namespace cuda {

struct CapabilityFacts {
  /// L1 and shared memory together ("unified data cache").
  std::size_t l1_array_bytes = 0;
  /// What a kernel with a few bytes of static shared memory takes of it at least: the smallest
  /// configuration above 0. From 8.0 on every block has 1 KiB of the system's, so that 0 is out of
  /// reach.
  std::size_t smallest_carveout_bytes = 0;
  /// 32-bit fused multiply-adds, in lanes a clock and SM.
  int fma_lanes_per_cycle = 0;
  /// Every board of it has stacked memory (HBM), else none has.
  bool has_hbm = false;
};

inline constexpr const char* kCapabilityFactsSource =
    "CUDA C++ programming guide, \"Compute Capabilities\": technical specifications and throughput "
    "of arithmetic instructions";

/// Empty for one that the tables of CUDA 13.0's guide lack.
std::optional<CapabilityFacts> capability_facts(int major, int minor);

}  // namespace cuda
