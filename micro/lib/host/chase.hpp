#pragma once
// A pointer chain laid into memory: one node a cache line, one random cycle through all nodes.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace host {

inline constexpr std::size_t kLineBytes = 64;

struct Chase {
  std::byte* base = nullptr;
  std::vector<std::uint32_t> next;  // node -> node
  std::vector<std::uint32_t> line;  // node -> line of the footprint that it stands in, ascending

  /// The first eight bytes there hold the address of the next node.
  const std::byte* address(std::uint32_t node) const { return base + line[node] * kLineBytes; }
};

/// Writes the chain. With as many nodes as the footprint has lines every line is a node; with
/// fewer, the footprint is cut into `nodes` equal parts and each gives one line at random. Throws
/// std::invalid_argument for 0 nodes, more nodes than lines, or 2^32 lines and more.
Chase lay_chase(std::byte* base, std::size_t footprint_bytes, std::uint32_t nodes,
                std::uint64_t seed);

}  // namespace host
