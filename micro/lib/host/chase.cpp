#include "host/chase.hpp"

#include <limits>
#include <new>
#include <stdexcept>

#include "core/chain.hpp"

namespace host {

Chase lay_chase(std::byte* base, std::size_t footprint_bytes, std::uint32_t nodes,
                std::uint64_t seed) {
  const std::uint64_t lines = footprint_bytes / kLineBytes;
  if (nodes > lines || lines > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("a chain of more nodes than the footprint has lines, or too long");
  Chase chase{.base = base, .next = core::random_cycle(nodes, seed), .line = {}};
  chase.line.resize(nodes);
  core::Random random(core::mix_seed(seed, "line of a node"));
  for (std::uint64_t node = 0; node < nodes; ++node) {
    const std::uint64_t first = node * lines / nodes;
    const std::uint64_t end = (node + 1) * lines / nodes;
    chase.line[node] = static_cast<std::uint32_t>(first + random.below(end - first));
  }
  for (std::uint32_t node = 0; node < nodes; ++node)
    new (base + chase.line[node] * kLineBytes) const std::byte*(chase.address(chase.next[node]));
  return chase;
}

}  // namespace host
