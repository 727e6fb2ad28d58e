// Measurements -> the map.

#include <algorithm>

#include "core/answers.hpp"
#include "map/figures.hpp"
#include "map/levels.hpp"
#include "map/memory_map.hpp"
#include "map/notes.hpp"

namespace map {
namespace {

std::vector<Reading> readings(const std::vector<Curve>& curves,
                              const core::Description& description) {
  std::vector<Reading> all;
  for (const Curve& curve : curves) all.push_back(read(curve, description));
  return all;
}

struct Questions {
  std::string_view latency;
  std::string_view bandwidth;
};

Questions questions(core::Family family) {
  switch (family) {
    case core::Family::operand:
      return {core::answers::kOperandLatency, core::answers::kOperandRate};
    case core::Family::scratchpad:
      return {core::answers::kScratchpadLatency, core::answers::kScratchpadBandwidth};
    case core::Family::cache:
    case core::Family::memory:
      return {core::answers::kLevelLatency, core::answers::kLevelBandwidth};
  }
  return {};
}

// Why a question has no number: what became of the first of its points that has none.
std::string why_missing(const Evidence& evidence, std::string_view answers,
                        const core::Level& level) {
  for (const core::Measurement* one : evidence.measurements) {
    if (one->answers != answers || one->reason.empty()) continue;
    const std::string reached_by = word_or(one->point, "operator", level.reached_by);
    if (!level.reached_by.empty() && reached_by != level.reached_by) continue;
    return std::string(core::to_string(one->status)) + ": " + one->reason + " (" + one->point.id() +
           ")";
  }
  return "no point of this run shows it";
}

std::string status_of(const MapLevel& drawn, const Evidence& evidence, const core::Level& level) {
  for (const auto* entries : {&drawn.latency, &drawn.bandwidth})
    for (const Entry& entry : *entries)
      if (entry.status != core::Status::ok)
        return std::string(core::to_string(entry.status)) + ": " +
               entry.note.substr(0, entry.note.find("; "));  // the first remark says why
  const Questions asked = questions(level.family);
  if (drawn.latency.empty() && drawn.bandwidth.empty()) {
    const std::string why = why_missing(evidence, asked.latency, level);
    return core::status_from(why.substr(0, why.find(':'))) ? why : "not measured: " + why;
  }
  if (drawn.latency.empty()) return "no latency: " + why_missing(evidence, asked.latency, level);
  if (drawn.bandwidth.empty())
    return "no bandwidth: " + why_missing(evidence, asked.bandwidth, level);
  return "ok";
}

MapLevel draw_level(const Evidence& evidence, std::size_t index,
                    std::vector<std::string>& disagreements) {
  const core::Level& level = evidence.description->levels[index];
  const Subject subject{.level = &level, .family = evidence.family};
  const Questions asked = questions(level.family);
  MapLevel drawn{.name = level.name, .scope = level.scope, .capacity = evidence.capacities[index]};
  if (holds_footprints(level)) {
    drawn.latency = latency_of(evidence, index, disagreements);
    drawn.bandwidth = bandwidth_of(evidence, index);
  } else {
    drawn.latency = each_variant(evidence, asked.latency, subject);
    drawn.bandwidth = best_of_each_variant(evidence, asked.bandwidth, subject);
  }
  if (drawn.capacity.found_bytes > 0)
    if (const auto expected = expected_capacity(evidence.family, level.name))
      add_note(drawn.capacity.note,
               outside(*expected, static_cast<double>(drawn.capacity.found_bytes)));
  drawn.status = status_of(drawn, evidence, level);
  return drawn;
}

}  // namespace

MemoryMap draw(std::span<const core::Measurement> measurements,
               const core::Description& description) {
  const auto latency = curves(measurements, core::answers::kLevelLatency);
  const auto bandwidth = curves(measurements, core::answers::kLevelBandwidth);
  Evidence evidence{.description = &description,
                    .measurements = {},
                    .latency = readings(latency, description),
                    .bandwidth = readings(bandwidth, description),
                    .capacities = {},
                    .family = device_family(description.device)};
  for (const core::Measurement& one : measurements) evidence.measurements.push_back(&one);
  std::ranges::sort(evidence.measurements, {},
                    [](const core::Measurement* one) { return one->point.id(); });

  Capacities found = capacities(evidence.latency, evidence.bandwidth, description);
  evidence.capacities = std::move(found.of_level);
  MemoryMap map{.levels = {},
                .overheads = overheads_of(evidence),
                .figures = figures_of(evidence),
                .unexplained = std::move(found.unexplained),
                .disagreements = std::move(found.disagreements)};
  for (std::size_t i = 0; i < description.levels.size(); ++i)
    map.levels.push_back(draw_level(evidence, i, map.disagreements));
  return map;
}

}  // namespace map
