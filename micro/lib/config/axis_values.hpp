#pragma once
// One axis of one stanza -> the values it stands for on a device.

#include <string>
#include <vector>

#include "config/config.hpp"
#include "core/axis.hpp"
#include "core/capacities.hpp"

namespace config {

struct AxisRequest {
  const core::Axis& axis;
  /// nullptr or `automatic`: Axis::automatic.
  const AxisChoice* choice = nullptr;
  std::string path;  // "stanzas[2].footprint"
  Place place;       // where a mistake of the axis as a whole stands
};

/// Words in the order written, numbers ascending; each once. Numbers of a log2 range hit both ends;
/// between them they are rounded to the axis' multiple. A share of a capacity that the device does
/// not state is left out with a note. What the axis refuses is a mistake; empty only after one.
std::vector<core::AxisValue> axis_values(const AxisRequest& request,
                                         const core::Capacities& capacities,
                                         std::vector<std::string>& notes, Mistakes& mistakes);

}  // namespace config
