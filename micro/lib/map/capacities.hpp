#pragma once
// Found capacities beside stated ones: by the latency curve, and by the bandwidth curve as a second
// method.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "map/boundaries.hpp"
#include "map/memory_map.hpp"

namespace map {

/// The boundaries of one curve, and which of them ends which level.
struct Reading {
  const Curve* curve = nullptr;
  std::vector<Boundary> boundaries;
  std::vector<std::optional<std::size_t>> of_level;  // one a level of the description

  const Boundary* end_of(std::size_t level) const {
    return of_level[level] ? &boundaries[*of_level[level]] : nullptr;
  }
};

/// The metric that the boundaries of a curve are sought in: cycles of latency, bytes_per_s of
/// bandwidth.
Reading read(const Curve& curve, const core::Description& description);

struct Capacities {
  std::vector<Capacity> of_level;  // one a level of the description
  std::vector<std::string> unexplained;
  std::vector<std::string> disagreements;
};

/// `latency` and `bandwidth`: readings of every curve of the two questions.
Capacities capacities(std::span<const Reading> latency, std::span<const Reading> bandwidth,
                      const core::Description& description);

}  // namespace map
