#pragma once
// A pointer chain laid into memory: one node a cache line, one random cycle through all nodes.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace host {

inline constexpr std::size_t kLineBytes = 64;

struct Chase {
  std::byte* base = nullptr;
  std::vector<std::uint32_t> visit;  // lines of the footprint in the order in which they are met

  /// Where `hops` hops from the first node end. The first eight bytes there hold the address of the
  /// next node.
  const std::byte* after(std::uint64_t hops) const {
    return base + visit[hops % visit.size()] * kLineBytes;
  }
};

/// Writes the chain over core::random_visit(). Throws std::invalid_argument for 0 nodes, more nodes
/// than lines, or 2^32 lines and more.
Chase lay_chase(std::byte* base, std::size_t footprint_bytes, std::uint32_t nodes,
                std::uint64_t seed);

}  // namespace host
