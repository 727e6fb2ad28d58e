#pragma once
// The pointer chain: one random cycle through every node, from a recorded seed. Shared by every
// chase on every backend.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// Deterministic 64-bit generator (SplitMix64), the same on every platform: no std::*_distribution
/// anywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform in [0, bound); bound > 0. Unbiased (Lemire's multiply and reject).
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  /// Standard normal (Box-Muller, one of the pair).
  double normal();

 private:
  std::uint64_t state_;
};

/// Mixes values into one seed: the chain of a point depends on (run seed, point, repetition) only.
std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t value);
std::uint64_t mix_seed(std::uint64_t seed, std::string_view text);

/// next[i] is the node after i; following it from any node visits all `nodes` nodes once and
/// returns (Sattolo's algorithm). Throws std::invalid_argument for 0 nodes.
std::vector<std::uint32_t> random_cycle(std::uint32_t nodes, std::uint64_t seed);

/// A random visit of `nodes` distinct lines out of `lines`, spread evenly over them (one a stratum of equal size), in random order:
/// element i+1 comes after element i, the first after the last. With nodes == lines it visits every line once. A uniformly random
/// cycle like random_cycle(), but its end after any number of hops is known at once: visit[hops % nodes].
/// Throws std::invalid_argument unless 0 < nodes <= lines.
std::vector<std::uint32_t> random_visit(std::uint32_t lines, std::uint32_t nodes,
                                        std::uint64_t seed);

/// True when `visit` holds only numbers below `lines` and none twice.
bool visits_each_once(std::span<const std::uint32_t> visit, std::uint32_t lines);

/// Nodes visited from `start` before it comes back; nodes.size() for a Hamiltonian cycle.
std::uint64_t cycle_length(std::span<const std::uint32_t> next, std::uint32_t start);

/// Where `hops` hops from `start` end.
std::uint32_t follow(std::span<const std::uint32_t> next, std::uint32_t start, std::uint64_t hops);

}  // namespace core
