#pragma once
// Where a curve says that a level ends, in bytes, and which stated level that may be.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "map/curves.hpp"

namespace map {

struct Boundary {
  std::int64_t found_bytes = 0;  // the largest footprint that is nearer to the level before
  std::int64_t low_bytes = 0;    // the last footprint of the level before
  std::int64_t high_bytes = 0;   // the first footprint of the level after
  /// The sweep's next points outside: a change point is good to one step.
  std::int64_t widest_low_bytes = 0;
  std::int64_t widest_high_bytes = 0;
  double confidence = 0;
  bool gradual = false;
  double before = 0;  // medians of the levels on both sides
  double after = 0;

  bool may_be(std::int64_t capacity_bytes) const {
    return widest_low_bytes <= capacity_bytes && capacity_bytes <= widest_high_bytes;
  }
};

/// Change points of that metric of the curve, over the points that are usable.
std::vector<Boundary> boundaries(const Curve& curve, std::string_view name, std::string_view unit);

/// For each of `capacities` (ascending; 0: not stated) the boundary that ends that level, if any:
/// order is kept, and a stated capacity is met within a factor of four or not at all (a virtual
/// machine's share of a cache, a partition). The fewest boundaries are left over, then the ratios
/// are smallest.
std::vector<std::optional<std::size_t>> match(std::span<const std::int64_t> capacities,
                                              std::span<const Boundary> boundaries);

}  // namespace map
