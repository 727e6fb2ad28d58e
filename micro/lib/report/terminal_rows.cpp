#include "report/terminal_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "report/text_layout.hpp"

namespace report {
namespace {

constexpr std::size_t kStatusColumns = 12;  // "not measured"

int decimals(double value) {
  const double size = std::abs(value);
  if (size >= 999.95) return 0;
  if (size >= 99.995) return 1;
  if (size >= 9.9995) return 2;
  return 3;
}

// How a unit is read, and what divides its base unit.
struct Shown {
  std::string name;
  double divisor = 1;
};

Shown shown(const std::string& unit, const std::string& core_word) {
  if (unit == core::unit::kBytesPerSecond) return {"GB/s", 1e9};
  if (unit == core::unit::kBytesPerCyclePerSm) return {"B/clk/" + core_word};
  if (unit == core::unit::kOperationsPerCyclePerSm) return {"lanes/clk/" + core_word};
  if (unit == core::unit::kOperationsPerSecond) return {"Gop/s", 1e9};
  if (unit == core::unit::kRatio || unit == core::unit::kCount)
    return {""};  // the name says of what
  return {printable(unit)};
}

std::string range(double low, double high, int places) {
  if (!std::isfinite(low) || !std::isfinite(high)) return "-";
  return fmt::format("{:.{}f}-{:.{}f}", low, places, high, places);
}

Figure figure(const core::Estimate& estimate, core::Status status) {
  const double divisor = shown(estimate.unit, "").divisor;
  const double value = estimate.value / divisor;
  return {.value = digits(value),
          .interval = estimate.n < 2 || !std::isfinite(value)
                          ? "-"
                          : range(estimate.low / divisor, estimate.high / divisor, decimals(value)),
          .status = status};
}

// Limits and published ranges are mostly round: no digit more than they have.
std::string plain(double value) { return fmt::format("{:.5g}", value); }

std::string of_peak(const map::Entry& entry) {
  if (!(entry.ceiling > 0) || !std::isfinite(entry.estimate.value)) return {};
  return fmt::format("{:.1f} %", 100 * entry.estimate.value / entry.ceiling);
}

void put_latency(Row& row, const map::Entry& entry, const std::string& core_word) {
  Figure& place = entry.estimate.unit == core::unit::kNanoseconds ? row.ns : row.cycles;
  place = figure(entry.estimate, entry.status);
  if (entry.published) row.latency_published.push_back(published_text(entry, core_word));
}

void put_bandwidth(Row& row, const map::Entry& entry, const std::string& core_word) {
  const std::string& unit = entry.estimate.unit;
  const bool absolute =
      unit == core::unit::kBytesPerSecond || unit == core::unit::kOperationsPerSecond;
  (absolute ? row.gigabytes_per_s : row.per_cycle) = figure(entry.estimate, entry.status);
  if (unit == core::unit::kOperationsPerCyclePerSm) row.per_cycle.value += " lanes";
  if (row.of_peak.empty()) row.of_peak = of_peak(entry);
  if (entry.published) row.bandwidth_published.push_back(published_text(entry, core_word));
}

// Entries of one label share a row; labels keep their order.
template <typename Put>
std::vector<Row> collect(const std::vector<map::Entry>& entries, std::string Row::*label, Put put,
                         const std::string& core_word) {
  std::vector<Row> rows;
  for (const map::Entry& entry : entries) {
    const std::string text = label_of(entry);
    auto at = std::ranges::find(rows, text, label);
    if (at == rows.end()) {
      rows.emplace_back().*label = text;
      at = rows.end() - 1;
    }
    put(*at, entry, core_word);
  }
  return rows;
}

void take_bandwidth(Row& row, Row& from) {
  row.bandwidth_label = std::move(from.bandwidth_label);
  row.per_cycle = std::move(from.per_cycle);
  row.gigabytes_per_s = std::move(from.gigabytes_per_s);
  row.of_peak = std::move(from.of_peak);
  row.bandwidth_published = std::move(from.bandwidth_published);
}

// The headlines of latency and bandwidth share the first line; the rest follow each for itself.
std::vector<Row> join(std::vector<Row> latency, std::vector<Row> bandwidth) {
  std::vector<Row> rows(1);
  if (!latency.empty()) rows[0] = std::move(latency[0]);
  if (!bandwidth.empty()) take_bandwidth(rows[0], bandwidth[0]);
  for (std::size_t i = 1; i < latency.size(); ++i) rows.push_back(std::move(latency[i]));
  for (std::size_t i = 1; i < bandwidth.size(); ++i) rows.push_back(std::move(bandwidth[i]));
  return rows;
}

// "56-64 MiB", or "928 KiB-1 MiB" where the units differ.
std::string between(const map::Capacity& capacity) {
  if (capacity.found_low_bytes <= 0 || capacity.found_high_bytes <= 0) return {};
  const std::string low = core::format_bytes(capacity.found_low_bytes);
  const std::string high = core::format_bytes(capacity.found_high_bytes);
  const std::size_t space = low.find(' ');
  return (low.substr(space) == high.substr(high.find(' ')) ? low.substr(0, space) : low) + "-" +
         high;
}

std::string capacity_text(std::int64_t bytes) {
  return bytes > 0 ? core::format_bytes(bytes) : std::string("-");
}

}  // namespace

std::string digits(double value) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals(value)) : "-";
}

std::string unit_text(const std::string& unit, const std::string& core_word) {
  return shown(unit, core_word).name;
}

std::string figure_text(const core::Estimate& estimate, const std::string& core_word) {
  if (estimate.unit == core::unit::kCount && estimate.low == estimate.high &&
      estimate.value == std::round(estimate.value))
    return fmt::format("{:.0f}", estimate.value);
  const Figure text = figure(estimate, core::Status::ok);
  const std::string unit = unit_text(estimate.unit, core_word);
  const std::string interval = text.interval == "-" ? "" : " (" + text.interval + ")";
  return text.value + (unit.empty() ? "" : " ") + unit + interval;
}

PublishedText published_text(const map::Entry& entry, const std::string& core_word) {
  const map::Published& range = *entry.published;
  const auto [name, divisor] = shown(range.unit, core_word);
  const double value = entry.estimate.value;
  const bool comparable = range.unit == entry.estimate.unit && std::isfinite(value);
  const bool outside = comparable && !map::contains(range, value);
  return fmt::format("{}{}-{} {} ({})", outside ? "outside " : "", plain(range.low / divisor),
                     plain(range.high / divisor), name, printable(range.source));
}

std::string plain_text(double value, const std::string& unit, const std::string& core_word) {
  const auto [name, divisor] = shown(unit, core_word);
  return plain(value / divisor) + " " + name;
}

std::string label_of(const map::Entry& entry) {
  if (entry.points.empty()) return {};
  for (const std::string_view axis : {"/operation:", "/method:"}) {
    const std::string& id = entry.points.front();
    const std::size_t at = id.find(axis);
    if (at == id.npos) continue;
    const std::size_t start = at + axis.size();
    return printable(id.substr(start, std::min(id.find('/', start), id.size()) - start));
  }
  return {};
}

LevelRows rows_of(const map::MapLevel& level, const std::string& core_word) {
  LevelRows rows{
      .name = printable(level.name),
      .scope = printable(level.scope),
      .found = capacity_text(level.capacity.found_bytes),
      .found_between = between(level.capacity),
      .stated = capacity_text(level.capacity.stated_bytes),
      .status_word = level.status.empty() ? "ok" : printable(level.status),
      .status_text = {},
      .rows = join(collect(level.latency, &Row::latency_label, put_latency, core_word),
                   collect(level.bandwidth, &Row::bandwidth_label, put_bandwidth, core_word))};
  if (width(rows.status_word) > kStatusColumns) {
    rows.status_text = level.status;
    const std::string first = level.status.substr(0, level.status.find_first_of(" :;,"));
    rows.status_word = core::status_from(first) ? first : "see below";
  }
  return rows;
}

}  // namespace report
