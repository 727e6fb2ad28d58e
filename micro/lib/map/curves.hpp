#pragma once
// Measurements of one question, sorted into curves over the footprint.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend.hpp"
#include "core/measurement.hpp"

namespace map {

/// The word of an axis, or `fallback` where the point has no such axis.
std::string word_or(const core::Point& point, std::string_view axis, std::string_view fallback);
std::int64_t number_or(const core::Point& point, std::string_view axis, std::int64_t fallback);

/// Whether the point is of the quantity that levels are drawn from. A chase by pointers and operators
/// that say where a load may be kept are; address arithmetic in the chain (method:index), the
/// read-only path (operator:nc) and loads that see what others write (operator:volatile) make other
/// quantities, which neither stand for a level nor disagree with it.
bool is_of_levels(const core::Point& point);

/// Points of one probe that differ in their footprint alone.
struct Curve {
  std::string probe;
  std::string label;           // the other axes, as in an id: "operation:read/operator:cg"
  std::string cache_operator;  // empty where the probe has no such axis
  std::string operation;       // the same
  std::int64_t threads_count = 0;
  std::vector<const core::Measurement*> points;  // by footprint, whatever their status

  /// "bandwidth/global operation:read"
  std::string name() const;
};

/// The curves of one question that levels are drawn from, in an order that the order of
/// `measurements` does not change.
/// Pointers into `measurements`.
std::vector<Curve> curves(std::span<const core::Measurement> measurements,
                          std::string_view answers);

std::int64_t footprint_bytes(const core::Measurement& measurement);

/// A number that can be reasoned with: ok, or unstable (then it says so wherever it is shown).
bool usable(const core::Measurement& measurement);

/// How often the level is there for the SMs or threads that a stream uses together: a level of each
/// SM shows up to their sum. A chase runs on one.
std::int64_t instances(const core::Level& level, const core::Point& point,
                       const core::Capacities& capacities);

/// Whether loads with this operator can be served by levels[index]: by the nearest level that the
/// operator reaches, and by everything beyond it.
bool reaches(std::span<const core::Level> levels, std::size_t index,
             std::string_view cache_operator);

/// Reached by the operator that the level is stated to be reached by, where the probe has one.
bool is_made_for(const Curve& curve, const core::Level& level);

bool holds_footprints(const core::Level& level);  // cache or memory

}  // namespace map
