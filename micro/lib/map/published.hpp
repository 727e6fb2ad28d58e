#pragma once
// What others have published for this quantity on this kind of device. To recognise a broken
// measurement and to explain differences of method; nothing is tuned to it.

#include <optional>
#include <string>
#include <string_view>

#include "map/memory_map.hpp"

namespace map {

enum class DeviceFamily { none, h100, h200 };

/// From the name that the device reports: the ranges are those of SXM boards, so PCIe and NVL
/// boards of the same chip (other clocks, other memory) have none, nor have other chips.
DeviceFamily device_family(std::string_view reported_name);

/// What a published range is looked up by.
struct Quantity {
  std::string answers;
  std::string level;      // empty for overheads
  std::string operation;  // word of the operation or method axis; empty where there is none
  std::string unit;
};

struct Expectation {
  Published range;
  std::string why_below;  // likely cause of a value below the range
  std::string why_above;
};

std::optional<Expectation> expectation(DeviceFamily family, const Quantity& quantity);

/// "above the published 31 to 36 cycles (LAT6): ..." or empty when the value is inside.
std::string outside(const Expectation& expectation, double value);

/// The published range of a capacity in bytes.
std::optional<Expectation> expected_capacity(DeviceFamily family, std::string_view level);

}  // namespace map
