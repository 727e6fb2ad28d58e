#include "core/point.hpp"

#include <algorithm>
#include <stdexcept>

namespace core {
namespace {

template <typename T>
const T& value_of(const Point& point, std::string_view axis) {
  const auto at =
      std::ranges::find_if(point.settings, [&](const Setting& s) { return s.axis == axis; });
  if (at != point.settings.end())
    if (const T* value = std::get_if<T>(&at->value)) return *value;
  throw std::out_of_range(point.probe + " has no axis '" + std::string(axis) +
                          "' of the type asked for");
}

}  // namespace

std::string Point::id() const {
  std::string id = probe;
  for (const Setting& setting : settings) {
    id += "/" + setting.axis;
    if (!setting.unit.empty()) id += "_" + setting.unit;
    id += ":" + to_string(setting.value);
  }
  return id;
}

bool Point::has(std::string_view axis) const {
  return std::ranges::any_of(settings, [&](const Setting& s) { return s.axis == axis; });
}

std::int64_t Point::number(std::string_view axis) const {
  return value_of<std::int64_t>(*this, axis);
}

const std::string& Point::word(std::string_view axis) const {
  return value_of<std::string>(*this, axis);
}

}  // namespace core
