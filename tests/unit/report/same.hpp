#pragma once
// Field by field: a comparison of two JSON documents would not notice a field that both leave out.

#include <algorithm>

#include "report/results.hpp"

namespace report_test {

inline bool same(const core::Description& a, const core::Description& b) {
  return a.backend == b.backend && a.device == b.device && a.uuid == b.uuid && a.pci == b.pci &&
         a.simulated == b.simulated && a.machine_code_sha256 == b.machine_code_sha256 &&
         a.capacities.all() == b.capacities.all() && a.levels == b.levels &&
         a.properties == b.properties && a.explanations == b.explanations && a.state == b.state &&
         a.missing == b.missing;
}

inline bool same(const report::Context& a, const report::Context& b) {
  return a.run_id == b.run_id && a.started_utc == b.started_utc &&
         a.finished_utc == b.finished_utc && same(a.before, b.before) &&
         a.state_after == b.state_after && a.warm_up == b.warm_up && a.host == b.host &&
         a.program == b.program && a.config_name == b.config_name &&
         a.config_text == b.config_text && a.config_sha256 == b.config_sha256 &&
         a.meant_for == b.meant_for && a.seed == b.seed && a.repetitions == b.repetitions &&
         a.notes == b.notes;
}

inline bool same(const core::Repetition& a, const core::Repetition& b) {
  return a.number == b.number && a.started_utc == b.started_utc && a.samples == b.samples;
}

inline bool same(const map::Published& a, const map::Published& b) {
  return a.low == b.low && a.high == b.high && a.unit == b.unit && a.source == b.source &&
         a.key == b.key;
}

inline bool same(const map::Entry& a, const map::Entry& b) {
  return a.estimate == b.estimate && a.method == b.method && a.points == b.points &&
         a.ceiling == b.ceiling && a.published.has_value() == b.published.has_value() &&
         (!a.published || same(*a.published, *b.published)) && a.status == b.status &&
         a.note == b.note;
}

inline bool same(const map::Capacity& a, const map::Capacity& b) {
  return a.stated_bytes == b.stated_bytes && a.stated_by == b.stated_by &&
         a.found_bytes == b.found_bytes && a.found_low_bytes == b.found_low_bytes &&
         a.found_high_bytes == b.found_high_bytes && a.confidence == b.confidence &&
         a.note == b.note;
}

template <typename T>
bool all_same(const std::vector<T>& a, const std::vector<T>& b);

inline bool same(const map::MapLevel& a, const map::MapLevel& b) {
  return a.name == b.name && a.scope == b.scope && same(a.capacity, b.capacity) &&
         all_same(a.latency, b.latency) && all_same(a.bandwidth, b.bandwidth) &&
         a.status == b.status;
}

inline bool same(const core::Measurement& a, const core::Measurement& b) {
  return a.point == b.point && a.answers == b.answers && a.method == b.method &&
         a.status == b.status && a.reason == b.reason && all_same(a.repetitions, b.repetitions) &&
         a.summary == b.summary;
}

template <typename T>
bool all_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}

inline bool same(const report::Results& a, const report::Results& b) {
  return a.complete == b.complete && a.incomplete_reason == b.incomplete_reason &&
         same(a.context, b.context) && all_same(a.measurements, b.measurements) &&
         all_same(a.map.levels, b.map.levels) && all_same(a.map.overheads, b.map.overheads) &&
         all_same(a.map.figures, b.map.figures) && a.map.unexplained == b.map.unexplained &&
         a.map.disagreements == b.map.disagreements;
}

}  // namespace report_test
