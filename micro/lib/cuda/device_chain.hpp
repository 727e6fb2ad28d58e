#pragma once
// A pointer chain in device memory, laid by the host's recorded order.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/samples.hpp"
#include "cuda/windows.hpp"

namespace cuda {

inline constexpr std::uint32_t kLineBytes =
    128;  // L1 and L2, measured by others and by the stride probes

/// Where a line of a chain holds the index of the next node: its third word. In the first two is the address of the next line.
inline constexpr std::uint32_t kWordsPerLine = kLineBytes / sizeof(std::uint32_t);
inline constexpr std::uint32_t kIndexWord = 2;
/// Lines whose words all have a 32-bit index.
inline constexpr std::uint64_t kIndexableBytes = (std::uint64_t{1} << 32) * sizeof(std::uint32_t);

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
  /// The same of a walk by 32-bit indices of words from `base` on (word = base[word]), which a chain of up to kIndexableBytes has too.
  std::uint32_t word_after(std::uint64_t hops) const {
    return visit[hops % visit.size()] * kWordsPerLine + kIndexWord;
  }
};

/// Lays one random cycle through `nodes` of the `lines` lines from `base` on: each line visited
/// holds the address of the next, and behind it the index of the next one's index. Verified to visit
/// each line once before it is used; throws core::MeasureError otherwise. Returns with the chain
/// written.
DeviceChain lay_chain(std::byte* base, std::uint32_t lines, std::uint32_t nodes, std::uint64_t seed,
                      cudaStream_t stream);

/// Above four times the last cache a lap takes minutes: there a chain visits some lines of the footprint and not all. A capacity of 0 is not
/// known.
constexpr bool is_sparse(std::int64_t footprint_bytes, std::int64_t l2_bytes) {
  return l2_bytes > 0 && footprint_bytes > 4 * l2_bytes;
}

/// Windows for a chase over so many nodes, whose lengths are multiples of `unroll`: warm laps first, and the pairs together walk at least
/// one lap. Of a sparse chain there is no lap, and it is walked no further than its end, so that every hop is a fresh line.
WindowPlan chase_plan(std::uint64_t nodes, std::uint64_t unroll, bool is_sparse);

/// Writes `bytes` from `place` on and reads them again, so that a last cache of half that size holds nothing else afterwards. The check
/// that it returns fails when the kernel did not read every word: it adds them up. Waits for the stream.
core::Check flush_through(std::byte* place, std::size_t bytes, cudaStream_t stream);

}  // namespace cuda
