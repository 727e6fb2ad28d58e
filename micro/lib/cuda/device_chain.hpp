#pragma once
// A pointer chain in device memory, laid by the host's recorded order.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cuda {

inline constexpr std::uint32_t kLineBytes =
    128;  // L1 and L2, measured by others and by the stride probes

struct DeviceChain {
  std::byte* base = nullptr;
  std::vector<std::uint32_t> visit;  // line numbers in the order of the hops

  std::uint64_t nodes() const { return visit.size(); }
  /// The address that a walk from start() holds after `hops` hops.
  std::uint64_t address_after(std::uint64_t hops) const {
    return reinterpret_cast<std::uint64_t>(base) +
           std::uint64_t{visit[hops % visit.size()]} * kLineBytes;
  }
  std::uint64_t start() const { return address_after(0); }
};

/// Lays one random cycle through `nodes` of the `lines` lines from `base` on: each line visited
/// holds the address of the next in its first eight bytes. Verified to visit each line once before
/// it is used; throws core::MeasureError otherwise. Returns with the chain written.
DeviceChain lay_chain(std::byte* base, std::uint32_t lines, std::uint32_t nodes, std::uint64_t seed,
                      cudaStream_t stream);

/// Reads `bytes` from `place` on so that the last cache holds nothing else afterwards. Queued.
void read_through(const std::byte* place, std::size_t bytes, cudaStream_t stream);

}  // namespace cuda
