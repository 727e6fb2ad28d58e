#pragma once
// One number of the map, with all that has to stand beside it.

#include <string>
#include <vector>

#include "map/memory_map.hpp"
#include "map/plateaus.hpp"
#include "map/published.hpp"

namespace map {

/// What an entry is about, beyond its measurements.
struct Subject {
  const core::Level* level = nullptr;  // nullptr: an overhead
  DeviceFamily family = DeviceFamily::none;
};

/// Entries of the given metrics ("latency" in cycles, ...), for those that the points carry. All
/// points answer one question with one operation or method.
std::vector<Entry> entries_of(const Plateau& plateau, const std::vector<core::Quantity>& metrics,
                              const Subject& subject);

/// Every metric of one point, in the order of its summary.
std::vector<Entry> entries_of(const core::Measurement& measurement, const Subject& subject);

/// Word of the operation axis, else of the method axis, else empty. Empty also for a chase by
/// pointers: what a level's latency is when nothing else is said.
std::string variant_of(const core::Point& point);

/// Where a word stands among the operations and methods that the project knows; unknown words come
/// after them.
std::size_t rank_of(const std::string& variant);

}  // namespace map
