#include "map/ceilings.hpp"

#include <algorithm>
#include <cctype>

#include "core/answers.hpp"
#include "core/units.hpp"
#include "map/curves.hpp"

namespace map {
namespace {

const core::Level* of_family(const core::Description& description, core::Family family) {
  const auto at = std::ranges::find(description.levels, family, &core::Level::family);
  return at == description.levels.end() ? nullptr : &*at;
}

// Axes hold lower-case words ("hbm"), levels the field's names ("HBM").
bool same_name(std::string_view word, std::string_view name) {
  return std::ranges::equal(word, name, [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  });
}

const core::Level* of_name(const core::Description& description, std::string_view word) {
  const auto at = std::ranges::find_if(
      description.levels, [&](const core::Level& level) { return same_name(word, level.name); });
  return at == description.levels.end() ? nullptr : &*at;
}

}  // namespace

std::optional<Ceiling> ceiling_of(const core::Level& level, std::string_view unit) {
  double value = 0;
  if (unit == core::unit::kBytesPerSecond) value = level.ceiling_bytes_per_s;
  if (unit == core::unit::kBytesPerCyclePerSm) value = level.ceiling_bytes_per_cycle_per_sm;
  if (unit == core::unit::kOperationsPerCyclePerSm)
    value = level.ceiling_operations_per_cycle_per_sm;
  if (!(value > 0)) return std::nullopt;
  return Ceiling{.value = value, .unit = std::string(unit), .source = level.ceiling_source};
}

std::int64_t held_before(std::size_t index, const core::Point& point,
                         const core::Description& description) {
  std::int64_t held = 0;
  const std::string cache_operator = word_or(point, "operator", "");
  for (std::size_t i = 0; i < index; ++i) {
    const core::Level& level = description.levels[i];
    if (!reaches(description.levels, i, cache_operator)) continue;
    held = std::max(held,
                    level.stated_capacity_bytes * instances(level, point, description.capacities));
  }
  return held;
}

const core::Level* bounding_level(const core::Measurement& measurement,
                                  const core::Description& description) {
  if (measurement.point.has("level")) return of_name(description, measurement.point.word("level"));
  if (measurement.answers == core::answers::kOperandRate)
    return of_family(description, core::Family::operand);
  if (measurement.answers == core::answers::kScratchpadBandwidth)
    return of_family(description, core::Family::scratchpad);
  if (measurement.answers != core::answers::kLevelBandwidth) return nullptr;

  const core::Point& point = measurement.point;
  const std::string cache_operator = word_or(point, "operator", "");
  const double footprint = static_cast<double>(footprint_bytes(measurement));
  for (std::size_t i = description.levels.size(); i-- > 0;) {
    if (!reaches(description.levels, i, cache_operator)) continue;
    const double before = static_cast<double>(held_before(i, point, description));
    const core::Level& level = description.levels[i];
    // Memory with nothing known before it may be anything.
    if (level.family == core::Family::memory && before == 0) continue;
    if (footprint >= kClearOf * before) return &level;
  }
  return nullptr;
}

}  // namespace map
