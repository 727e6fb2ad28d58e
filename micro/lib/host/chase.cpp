#include "host/chase.hpp"

#include <limits>
#include <new>
#include <stdexcept>

#include "core/chain.hpp"

namespace host {

Chase lay_chase(std::byte* base, std::size_t footprint_bytes, std::uint32_t nodes,
                std::uint64_t seed) {
  const std::size_t lines = footprint_bytes / kLineBytes;
  if (lines > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("a chain over 2^32 lines or more");
  Chase chase{.base = base,
              .visit = core::random_visit(static_cast<std::uint32_t>(lines), nodes, seed)};
  for (std::size_t node = 0; node < chase.visit.size(); ++node)
    new (base + chase.visit[node] * kLineBytes) const std::byte*(chase.after(node + 1));
  return chase;
}

}  // namespace host
