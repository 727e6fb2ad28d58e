#include "core/chain.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace core {

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t Random::below(std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = -bound % bound;
    while (static_cast<std::uint64_t>(product) < threshold)
      product = static_cast<Wide>(next()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t value) {
  return Random(seed ^ (value * 0xd1342543de82ef95ULL + 0x632be59bd9b4e019ULL)).next();
}

std::uint64_t mix_seed(std::uint64_t seed, std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix_seed(seed, hash);
}

std::vector<std::uint32_t> random_cycle(std::uint32_t nodes, std::uint64_t seed) {
  if (nodes == 0) throw std::invalid_argument("a cycle needs at least one node");
  std::vector<std::uint32_t> next(nodes);
  std::iota(next.begin(), next.end(), 0U);
  Random random(seed);
  for (std::uint32_t i = nodes - 1; i > 0; --i)
    std::swap(next[i], next[static_cast<std::uint32_t>(random.below(i))]);
  return next;
}

std::vector<std::uint32_t> random_visit(std::uint32_t lines, std::uint32_t nodes,
                                        std::uint64_t seed) {
  if (nodes == 0 || nodes > lines)
    throw std::invalid_argument("a visit needs between one node and as many as there are lines");
  std::vector<std::uint32_t> visit(nodes);
  Random random(seed);
  for (std::uint64_t i = 0; i < nodes; ++i) {
    const std::uint64_t begin = i * lines / nodes;
    const std::uint64_t end = (i + 1) * lines / nodes;
    visit[i] =
        static_cast<std::uint32_t>(end - begin == 1 ? begin : begin + random.below(end - begin));
  }
  for (std::uint32_t i = nodes - 1; i > 0; --i)
    std::swap(visit[i], visit[static_cast<std::uint32_t>(random.below(i + 1ULL))]);
  return visit;
}

bool visits_each_once(std::span<const std::uint32_t> visit, std::uint32_t lines) {
  std::vector<bool> seen(lines);
  for (const std::uint32_t line : visit) {
    if (line >= lines || seen[line]) return false;
    seen[line] = true;
  }
  return true;
}

std::uint64_t cycle_length(std::span<const std::uint32_t> next, std::uint32_t start) {
  std::uint64_t length = 0;
  std::uint32_t at = start;
  do {
    at = next[at];
    ++length;
  } while (at != start && length <= next.size());
  return length;
}

std::uint32_t follow(std::span<const std::uint32_t> next, std::uint32_t start, std::uint64_t hops) {
  std::uint32_t at = start;
  for (std::uint64_t hop = 0; hop < hops; ++hop) at = next[at];
  return at;
}

}  // namespace core
