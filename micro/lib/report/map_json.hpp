#pragma once
// The map as JSON and back. What is not known is null there and 0 or empty here.

#include "core/json.hpp"
#include "map/memory_map.hpp"

namespace report {

core::Json to_json(const map::MemoryMap& memory_map);

/// The inverse. Unknown keys are ignored. Throws std::invalid_argument naming the key and the way
/// to it.
map::MemoryMap map_from(const core::Json& json);

}  // namespace report
