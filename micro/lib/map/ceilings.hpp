#pragma once
// Which physical ceiling bounds a point.

#include <optional>
#include <string>

#include "core/backend.hpp"
#include "core/measurement.hpp"

namespace map {

struct Ceiling {
  double value = 0;
  std::string unit;
  std::string source;
};

/// A footprint that is this many times the capacities before a level comes from that level.
inline constexpr double kClearOf = 4;

/// The ceiling of that unit which the description states for the level; empty: none known.
std::optional<Ceiling> ceiling_of(const core::Level& level, std::string_view unit);

/// The level whose ceiling bounds the point: the one that its axis `level` names; scratchpad and
/// operand figures by their family;
/// bandwidth against footprint by the farthest level that serves it with certainty (its
/// footprint is at least four times what the levels before it hold together). nullptr: no ceiling
/// can be said to apply.
const core::Level* bounding_level(const core::Measurement& measurement,
                                  const core::Description& description);

/// What the largest cache before levels[index] that the point's operator reaches holds, over all
/// SMs or threads of the point. 0: there is none, or its capacity is not stated.
std::int64_t held_before(std::size_t index, const core::Point& point,
                         const core::Description& description);

}  // namespace map
