#pragma once
// A point: one probe at one setting of its axes. Its id is its identity everywhere.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/axis.hpp"

namespace core {

struct Setting {
  std::string axis;
  std::string unit;  // empty for words
  AxisValue value;

  bool operator==(const Setting&) const = default;
};

struct Point {
  std::string probe;              // "latency/global"
  std::vector<Setting> settings;  // in the order in which the probe declares its axes

  /// "latency/global/operator:ca/footprint_bytes:1024"
  std::string id() const;

  bool has(std::string_view axis) const;
  /// Throws std::out_of_range naming probe and axis when the axis is missing or of the other type.
  std::int64_t number(std::string_view axis) const;
  const std::string& word(std::string_view axis) const;

  bool operator==(const Point&) const = default;
};

}  // namespace core
