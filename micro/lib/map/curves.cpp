#include "map/curves.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace map {
namespace {

std::string other_axes(const core::Point& point) {
  std::string label;
  for (const core::Setting& setting : point.settings) {
    if (setting.axis == "footprint") continue;
    if (!label.empty()) label += "/";
    label += setting.axis + ":" + core::to_string(setting.value);
  }
  return label;
}

}  // namespace

std::string word_or(const core::Point& point, std::string_view axis, std::string_view fallback) {
  return point.has(axis) ? point.word(axis) : std::string(fallback);
}

std::int64_t number_or(const core::Point& point, std::string_view axis, std::int64_t fallback) {
  return point.has(axis) ? point.number(axis) : fallback;
}

bool is_of_levels(const core::Point& point) {
  const std::string method = word_or(point, "method", "pointer");
  const std::string cache_operator = word_or(point, "operator", "");
  return method == "pointer" && cache_operator != "nc" && cache_operator != "volatile";
}

std::string Curve::name() const { return label.empty() ? probe : probe + " " + label; }

std::vector<Curve> curves(std::span<const core::Measurement> measurements,
                          std::string_view answers) {
  std::map<std::pair<std::string, std::string>, Curve> by_name;
  for (const core::Measurement& measurement : measurements) {
    const core::Point& point = measurement.point;
    if (measurement.answers != answers || !point.has("footprint") || !is_of_levels(point)) continue;
    const std::string label = other_axes(point);
    Curve& curve = by_name[{point.probe, label}];
    curve.probe = point.probe;
    curve.label = label;
    curve.cache_operator = word_or(point, "operator", "");
    curve.operation = word_or(point, "operation", "");
    curve.threads_count = number_or(point, "threads", 0);
    curve.points.push_back(&measurement);
  }
  std::vector<Curve> all;
  for (auto& [name, curve] : by_name) {
    std::ranges::sort(curve.points, {}, [](const auto* one) { return footprint_bytes(*one); });
    all.push_back(std::move(curve));
  }
  return all;
}

std::int64_t footprint_bytes(const core::Measurement& measurement) {
  return measurement.point.number("footprint");
}

bool usable(const core::Measurement& measurement) {
  return (measurement.status == core::Status::ok || measurement.status == core::Status::unstable) &&
         !measurement.summary.empty();
}

std::int64_t instances(const core::Level& level, const core::Point& point,
                       const core::Capacities& capacities) {
  if (core::kind_of_probe(point.probe) == core::Kind::latency) return 1;
  if (level.scope == "SM") return std::max<std::int64_t>(1, capacities.get("sm_count"));
  if (level.scope == "core") return number_or(point, "threads", 1);
  return 1;
}

bool is_made_for(const Curve& curve, const core::Level& level) {
  return curve.cache_operator.empty() || level.reached_by.empty() ||
         curve.cache_operator == level.reached_by;
}

bool holds_footprints(const core::Level& level) {
  return level.family == core::Family::cache || level.family == core::Family::memory;
}

bool reaches(std::span<const core::Level> levels, std::size_t index,
             std::string_view cache_operator) {
  if (!holds_footprints(levels[index])) return false;
  for (std::size_t i = 0; i <= index; ++i) {
    if (!holds_footprints(levels[i])) continue;
    const std::string& reached_by = levels[i].reached_by;
    if (cache_operator.empty() || reached_by.empty() || reached_by == cache_operator) return true;
  }
  return false;
}

}  // namespace map
