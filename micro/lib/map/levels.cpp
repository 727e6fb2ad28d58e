#include "map/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/units.hpp"
#include "map/notes.hpp"

namespace map {
namespace {

// Two operators, one level: closer than this is agreement whatever the intervals say.
constexpr double kSameValue = 0.05;

const std::vector<core::Quantity>& latency_metrics() {
  static const std::vector<core::Quantity> metrics{
      {"latency", std::string(core::unit::kCycles), 0},
      {"latency", std::string(core::unit::kNanoseconds), 0}};
  return metrics;
}

const std::vector<core::Quantity>& bandwidth_metrics() {
  static const std::vector<core::Quantity> metrics{
      {"bandwidth", std::string(core::unit::kBytesPerCyclePerSm), 0},
      {"bandwidth", std::string(core::unit::kBytesPerSecond), 0}};
  return metrics;
}

std::int64_t capacity_of(const Evidence& evidence, std::size_t index) {
  const Capacity& capacity = evidence.capacities[index];
  return capacity.stated_bytes > 0 ? capacity.stated_bytes : capacity.found_bytes;
}

Subject subject_of(const Evidence& evidence, std::size_t index) {
  return {.level = &evidence.description->levels[index], .family = evidence.family};
}

// Curves that are made for the level, the best first: most threads, then by name.
std::vector<const Reading*> candidates(const std::vector<Reading>& readings,
                                       const core::Level& level) {
  std::vector<const Reading*> all;
  for (const Reading& reading : readings)
    if (is_made_for(*reading.curve, level)) all.push_back(&reading);
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const Reading* one) { return one->curve->threads_count; });
  return all;
}

std::string disagreement(const Entry& entry, const Entry& other, const std::string& what,
                         const Curve& curve, const Curve& other_curve) {
  const core::Estimate &a = entry.estimate, &b = other.estimate;
  const bool overlap = a.low <= b.high && b.low <= a.high;
  if (overlap || std::abs(b.value / a.value - 1) <= kSameValue) return {};
  return fmt::format("{}: {} by {}, {} by {}", what, core::format_value(a.value, a.unit),
                     curve.name(), core::format_value(b.value, b.unit), other_curve.name());
}

std::vector<const core::Measurement*> that_answer(const Evidence& evidence,
                                                  std::string_view answers) {
  std::vector<const core::Measurement*> all;
  for (const core::Measurement* one : evidence.measurements) {
    const bool has_number = one->status != core::Status::failed &&
                            one->status != core::Status::skipped && !one->summary.empty();
    if (one->answers == answers && has_number) all.push_back(one);
  }
  std::ranges::stable_sort(
      all, {}, [](const core::Measurement* one) { return rank_of(variant_of(one->point)); });
  return all;
}

double headline(const core::Measurement& measurement) { return measurement.summary.front().value; }

// "warps:16 chains:4": what tells a point from the others of its operation.
std::string setting_text(const core::Point& point) {
  std::string text;
  for (const core::Setting& setting : point.settings) {
    if (setting.axis == "operation" || setting.axis == "method") continue;
    text += (text.empty() ? "" : " ") + setting.axis + ":" + core::to_string(setting.value);
  }
  return text;
}

constexpr std::size_t kNamedOneByOne = 4;

std::string compared_with(const core::Measurement& best,
                          const std::vector<const core::Measurement*>& group) {
  if (group.size() < 2) return {};
  std::string text =
      fmt::format("the best of {} points ({})", group.size(), setting_text(best.point));
  if (group.size() > kNamedOneByOne) return text;
  for (const core::Measurement* one : group)
    if (one != &best)
      text += fmt::format(", {}: {}", setting_text(one->point),
                          core::format_value(headline(*one), one->summary.front().unit));
  return text;
}

// What a curve says of a level's bandwidth.
struct Shown {
  const Curve* curve;
  std::vector<Entry> entries;
};

// By operation, then the most threads, then what is ok, then the fastest: a bandwidth is what can be reached, and where two probes
// reach for it, the better one says what that is.
bool is_shown_before(const Shown& one, const Shown& other) {
  const auto key = [](const Shown& shown) {
    const Entry& entry = shown.entries.back();
    return std::tuple(rank_of(shown.curve->operation), -shown.curve->threads_count,
                      static_cast<int>(entry.status), -entry.estimate.value);
  };
  return key(one) < key(other);
}

}  // namespace

Surroundings surroundings(const Evidence& evidence, const Reading& reading, std::size_t index) {
  const auto& levels = evidence.description->levels;
  const core::Point& point = reading.curve->points.front()->point;
  const auto total = [&](std::size_t i) {
    return capacity_of(evidence, i) * instances(levels[i], point, evidence.description->capacities);
  };
  Surroundings around{.is_memory = levels[index].family == core::Family::memory,
                      .is_bandwidth = core::kind_of_probe(point.probe) == core::Kind::bandwidth};
  if (!around.is_memory) around.own = total(index);
  for (std::size_t i = 0; i < index; ++i) {
    if (levels[i].family != core::Family::cache) continue;
    around.nearer = std::max(around.nearer, total(i));
    if (reaches(levels, i, reading.curve->cache_operator))
      around.nearer_reached = std::max(around.nearer_reached, total(i));
    if (const Boundary* end = reading.end_of(i))
      around.starts_at = std::max(around.starts_at, end->high_bytes);
  }
  // The first step beyond its start ends a cache, whether or not it is where the level should end.
  if (around.is_memory) return around;
  const std::int64_t start = std::max(around.starts_at, around.nearer_reached);
  for (const Boundary& boundary : reading.boundaries)
    if (around.ends_at == 0 && boundary.low_bytes >= start) around.ends_at = boundary.low_bytes;
  return around;
}

std::vector<Entry> latency_of(const Evidence& evidence, std::size_t index,
                              std::vector<std::string>& disagreements) {
  const core::Level& level = evidence.description->levels[index];
  std::vector<Entry> entries;
  const Curve* curve = nullptr;
  const auto look = [&](const Reading& reading) {
    const auto found = plateau(*reading.curve, surroundings(evidence, reading, index));
    if (!found) return;
    std::vector<Entry> all = entries_of(*found, latency_metrics(), subject_of(evidence, index));
    if (all.empty()) return;
    if (curve == nullptr) {
      entries = std::move(all);
      curve = reading.curve;
      return;
    }
    const std::string text =
        disagreement(entries.front(), all.front(), level.name + " latency", *curve, *reading.curve);
    if (!text.empty()) disagreements.push_back(text);
  };
  for (const Reading* reading : candidates(evidence.latency, level)) look(*reading);
  if (curve == nullptr) return {};
  for (const Reading& reading : evidence.latency)
    if (!is_made_for(*reading.curve, level) &&
        reaches(evidence.description->levels, index, reading.curve->cache_operator))
      look(reading);
  return entries;
}

std::vector<Entry> bandwidth_of(const Evidence& evidence, std::size_t index) {
  const core::Level& level = evidence.description->levels[index];
  std::vector<Shown> all;
  for (const Reading* reading : candidates(evidence.bandwidth, level)) {
    const auto found = plateau(*reading->curve, surroundings(evidence, *reading, index));
    if (!found) continue;
    auto one = entries_of(*found, bandwidth_metrics(), subject_of(evidence, index));
    if (!one.empty()) all.push_back({reading->curve, std::move(one)});
  }
  std::ranges::stable_sort(all, is_shown_before);
  std::vector<Entry> entries;
  std::size_t group = 0;  // where the entries of the current operation begin
  const std::string* operation = nullptr;
  for (Shown& one : all) {
    if (operation != nullptr && *operation == one.curve->operation) {
      // The same with fewer threads, or by another probe: beside the headline, never mixed with it.
      const core::Estimate& estimate = one.entries.back().estimate;
      for (std::size_t i = group; i < entries.size(); ++i)
        add_note(entries[i].note, fmt::format("{}: {}", one.curve->name(),
                                              core::format_value(estimate.value, estimate.unit)));
      continue;
    }
    operation = &one.curve->operation;
    group = entries.size();
    std::ranges::move(one.entries, std::back_inserter(entries));
  }
  return entries;
}

std::vector<Entry> each_variant(const Evidence& evidence, std::string_view answers,
                                const Subject& subject) {
  std::vector<Entry> entries;
  for (const core::Measurement* one : that_answer(evidence, answers))
    std::ranges::move(entries_of(*one, subject), std::back_inserter(entries));
  return entries;
}

std::vector<Entry> best_of_each_variant(const Evidence& evidence, std::string_view answers,
                                        const Subject& subject) {
  const auto all = that_answer(evidence, answers);
  std::vector<Entry> entries;
  for (std::size_t first = 0; first < all.size();) {
    const std::string variant = variant_of(all[first]->point);
    std::vector<const core::Measurement*> group;
    for (; first < all.size() && variant_of(all[first]->point) == variant; ++first)
      group.push_back(all[first]);
    // A point that is not ok is the best only where no other is: it may be fast because it is
    // wrong.
    const auto best = std::ranges::max_element(group, {}, [](const core::Measurement* one) {
      return std::pair(-static_cast<int>(one->status), headline(*one));
    });
    auto found = entries_of(**best, subject);
    for (Entry& entry : found) add_note(entry.note, compared_with(**best, group));
    std::ranges::move(found, std::back_inserter(entries));
  }
  return entries;
}

}  // namespace map
