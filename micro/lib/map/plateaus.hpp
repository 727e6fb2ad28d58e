#pragma once
// Which footprints show a level and nothing else, and what they say together. Too small ones hit
// the cache before it, too large ones already miss: only those clear of both ends have one meaning.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "map/curves.hpp"

namespace map {

/// Bytes, over all SMs or threads that the curve uses together.
struct Surroundings {
  std::int64_t own = 0;             // capacity of the level; 0: unknown, or memory
  std::int64_t nearer = 0;          // largest capacity of all nearer caches; 0: there is none
  std::int64_t nearer_reached = 0;  // the same of those that the curve's operator reaches
  /// What the curve itself says: where the level starts and ends; 0: nothing.
  std::int64_t starts_at = 0;
  std::int64_t ends_at = 0;
  bool is_memory = false;
  bool is_bandwidth = false;
};

struct Window {
  double low_bytes = 0;
  double high_bytes = 0;
  std::string note = {};  // what a number from this window has to admit
};

/// Windows of footprints, most certain first. A sweep that has no point in the first is looked at
/// through the next.
std::vector<Window> windows(const Surroundings& around);

struct Plateau {
  std::vector<const core::Measurement*> points;  // all of one status
  core::Status status = core::Status::ok;
  std::string note = {};
};

/// The points of the curve in the first window that has any with a number: those that are ok, else
/// unstable ones, else invalid ones. Of memory: from the largest footprint downwards for as long as
/// the next point changes by 3 % at most. Empty: the curve does not show the level.
std::optional<Plateau> plateau(const Curve& curve, const Surroundings& around);

/// One number for the plateau: in every repetition the median over its points, then median and
/// interval over the repetitions, so that n counts repetitions and not footprints. Only repetitions
/// that all points have count: the median of other points is another quantity.
core::Estimate estimate_of(const Plateau& plateau, std::string_view name, std::string_view unit);

}  // namespace map
