#pragma once
// The answer: one entry a level, nearest first. Pure functions of measurements and of what the
// backend described.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "core/measurement.hpp"

namespace map {

/// A range somebody published for this quantity on this kind of device, with its source.
struct Published {
  double low = 0;
  double high = 0;
  std::string unit;
  std::string source;    // "MT4G, AIK (H100 SXM)"
  std::string key = {};  // row of the table of published values: "LAT6"
};

/// Whether the value lies in the range, ends included: what is a hair outside is outside, and says so.
bool contains(const Published& range, double value);

/// One number of the map.
struct Entry {
  core::Estimate estimate;          // value, unit, interval, n
  std::string method;               // as the probe states it
  std::vector<std::string> points;  // ids of the measurements it comes from
  double ceiling = 0;               // physical, in the unit of the estimate; 0: none known
  std::optional<Published> published = {};
  core::Status status = core::Status::ok;
  std::string note = {};  // outside the published range, unstable, ...; why
};

struct Capacity {
  std::int64_t stated_bytes = 0;  // 0: not stated
  std::string stated_by = {};
  std::int64_t found_bytes = 0;      // 0: not found
  std::int64_t found_low_bytes = 0;  // the sweep's neighbours: the boundary lies between
  std::int64_t found_high_bytes = 0;
  double confidence = 0;
  std::string note = {};  // "found and stated disagree", "gradual from ... to ..."
};

struct MapLevel {
  std::string name;
  std::string scope;
  Capacity capacity = {};
  std::vector<Entry> latency = {};  // cycles first, then ns
  std::vector<Entry> bandwidth =
      {};  // bytes_per_cycle_per_sm, bytes_per_s (read first, then write, copy, triad)
  std::string status = {};  // "ok", or the first thing that is wrong
};

struct MemoryMap {
  std::vector<MapLevel> levels;
  std::vector<Entry> overheads = {};  // clock read, launch
  std::vector<Entry> figures = {};    // of every question that no level and no overhead answers
  std::vector<std::string> unexplained = {};  // steps of a curve that no stated level explains
  std::vector<std::string> disagreements = {};
};

/// Status of every measurement from its own samples, the ceilings of the description and the clock
/// of the run: `invalid` by a physical ceiling, `unstable` by clock or spread, each with its
/// reason. `skipped` and `failed` stay. Order and count stay.
std::vector<core::Measurement> judge(std::vector<core::Measurement> measurements,
                                     const core::Description& description);

/// `measurements` judged. Independent of their order.
MemoryMap draw(std::span<const core::Measurement> measurements,
               const core::Description& description);

}  // namespace map
