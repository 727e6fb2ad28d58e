#include "map/published.hpp"

#include <fmt/format.h>

#include <regex>

#include "core/units.hpp"
#include "map/published_rows.hpp"

namespace map {
namespace {

// "31 to 36 cycles", "3850 GB/s to 4810 GB/s"
std::string text_of(const Published& range) {
  if (range.unit == core::unit::kBytesPerSecond || range.unit == core::unit::kBytes)
    return core::format_value(range.low, range.unit) + " to " +
           core::format_value(range.high, range.unit);
  const std::string high = core::format_value(range.high, range.unit);
  return fmt::format("{:.4g} to {:.4g}{}", range.low, range.high, high.substr(high.find(' ')));
}

// A range that H200 shares with H100 (the SM is the same) rests on H100 data, and says so unless
// its sources do.
std::optional<Expectation> of_row(const PublishedRow& row, DeviceFamily family) {
  const bool own = row.h200.high > 0;
  if (family == DeviceFamily::none) return std::nullopt;
  const Range range = family == DeviceFamily::h200 && own ? row.h200 : row.h100;
  if (range.high <= 0) return std::nullopt;
  const bool said = row.source.find("H100") != row.source.npos;
  const char* of_other = family == DeviceFamily::h200 && !own && !said ? "; of H100" : "";
  return Expectation{.range = {.low = range.low,
                               .high = range.high,
                               .unit = std::string(row.unit),
                               .source = std::string(row.source) + of_other,
                               .key = std::string(row.key)},
                     .why_below = std::string(row.why_below),
                     .why_above = std::string(row.why_above)};
}

}  // namespace

DeviceFamily device_family(std::string_view reported_name) {
  // Word boundaries: a GH200 is another part with other memory.
  static const std::regex h100(R"(\bH100 (80GB HBM3|SXM))");
  static const std::regex h200(R"(\bH200\b(?! NVL))");
  const std::string name(reported_name);
  if (std::regex_search(name, h200)) return DeviceFamily::h200;
  if (std::regex_search(name, h100)) return DeviceFamily::h100;
  return DeviceFamily::none;
}

std::optional<Expectation> expectation(DeviceFamily family, const Quantity& quantity) {
  for (const PublishedRow& row : published_rows())
    if (row.answers == quantity.answers && row.level == quantity.level &&
        row.operation == quantity.operation && row.unit == quantity.unit)
      return of_row(row, family);
  return std::nullopt;
}

std::optional<Expectation> expected_capacity(DeviceFamily family, std::string_view level) {
  for (const PublishedRow& row : published_rows())
    if (row.answers == kCapacity && row.level == level) return of_row(row, family);
  return std::nullopt;
}

bool contains(const Published& range, double value) {
  return value >= range.low && value <= range.high;
}

std::string outside(const Expectation& expectation, double value) {
  const Published& range = expectation.range;
  if (contains(range, value)) return {};
  const bool below = value < range.low;
  return fmt::format("{} the published {} ({}): {}", below ? "below" : "above", text_of(range),
                     range.key, below ? expectation.why_below : expectation.why_above);
}

}  // namespace map
