#include "map/plateaus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "map/notes.hpp"
#include "stats/summary.hpp"

namespace map {
namespace {

constexpr double kNoEnd = std::numeric_limits<double>::infinity();
constexpr double kNotFlat = 1.10;  // within an octave; the smallest step that counts as one

std::string only(double factor, const char* what) {
  return fmt::format("no point at 4 x {}: taken from {:.2g} x", what, factor);
}

std::vector<Window> memory_windows(double nearer) {
  if (nearer <= 0) return {};
  return {{4 * nearer, kNoEnd},
          {2 * nearer, kNoEnd, only(2, "the last cache") + ", part of it may be cache"}};
}

std::vector<Window> first_cache_windows(double own, bool is_bandwidth) {
  std::vector<Window> all;
  // Small footprints do not hide the start and the end of a stream (rule 54).
  if (is_bandwidth) all.push_back({0.1 * own, 0.5 * own});
  all.push_back({0, 0.5 * own});
  all.push_back({0, 0.9 * own, "no point at half the capacity or less"});
  return all;
}

std::vector<Window> cache_windows(const Surroundings& around) {
  const double own = static_cast<double>(around.own);
  const double nearer = static_cast<double>(around.nearer);
  // A chase of one SM mixes with what lies beyond from half a cache upwards (rule 45); private
  // chunks of a stream do not.
  const double highest = (around.is_bandwidth ? 0.6 : 0.4) * own;
  std::vector<Window> all{{4 * nearer, highest},
                          {2 * nearer, highest, only(2, "the cache before it")},
                          {nearer + 1, highest, only(1, "the cache before it")}};
  if (around.is_bandwidth && around.nearer_reached < around.nearer)
    all.push_back({0.25 * own, highest,
                   "the nearer caches together could hold these footprints; the operator alone "
                   "bypasses them"});
  all.push_back({nearer + 1, 0.9 * own, "no point well inside the capacity"});
  return all;
}

// 0: no number. Lower is better otherwise.
int tier(const core::Measurement& measurement) {
  if (measurement.summary.empty()) return 0;
  switch (measurement.status) {
    case core::Status::ok:
      return 1;
    case core::Status::unstable:
      return 2;
    case core::Status::invalid:
      return 3;
    case core::Status::skipped:
    case core::Status::failed:
      return 0;
  }
  return 0;
}

// What the plateau leaves out, and why the first of it is left out.
std::string left_out(const std::vector<const core::Measurement*>& inside, const Plateau& taken) {
  const std::size_t count = inside.size() - taken.points.size();
  if (count == 0) return {};
  const auto first = std::ranges::find_if(inside, [&](const auto* one) {
    return std::ranges::find(taken.points, one) == taken.points.end();
  });
  return fmt::format("{} of {} points left out ({}: {})", count, inside.size(),
                     core::to_string((*first)->status), (*first)->reason);
}

std::optional<Plateau> best_of(const std::vector<const core::Measurement*>& inside) {
  for (const int wanted : {1, 2, 3}) {
    Plateau plateau;
    for (const core::Measurement* one : inside)
      if (tier(*one) == wanted) plateau.points.push_back(one);
    if (plateau.points.empty()) continue;
    plateau.status = plateau.points.front()->status;
    plateau.note = plateau.points.front()->reason;
    add_note(plateau.note, left_out(inside, plateau));
    return plateau;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Window> windows(const Surroundings& around) {
  const double nearer = static_cast<double>(around.nearer);
  if (around.is_memory) return memory_windows(nearer);
  if (around.own <= 0) return {};
  if (around.nearer <= 0)
    return first_cache_windows(static_cast<double>(around.own), around.is_bandwidth);
  return cache_windows(around);
}

std::optional<Plateau> plateau(const Curve& curve, const Surroundings& around) {
  const double starts_at = static_cast<double>(around.starts_at);
  const double ends_at = around.ends_at > 0 ? static_cast<double>(around.ends_at) : kNoEnd;
  for (const Window& window : windows(around)) {
    std::vector<const core::Measurement*> inside;
    for (const core::Measurement* point : curve.points) {
      const double footprint = static_cast<double>(footprint_bytes(*point));
      const bool in_window = footprint >= window.low_bytes && footprint <= window.high_bytes;
      if (in_window && footprint >= starts_at && footprint <= ends_at) inside.push_back(point);
    }
    auto found = best_of(inside);
    if (!found) continue;
    add_note(found->note, window.note);
    if (!around.is_memory) return found;
    // Memory is memory only in a flat neighbourhood (rule 4).
    if (found->points.size() < 2) {
      add_note(found->note, "one point: whether its neighbourhood is flat is unknown");
    } else if (const double ratio = steepest_octave(*found); ratio > kNotFlat) {
      add_note(found->note,
               fmt::format("not flat: changes by {:.0f} % within a factor of two in footprint",
                           100 * (ratio - 1)));
      if (found->status == core::Status::ok) found->status = core::Status::unstable;
    }
    return found;
  }
  return std::nullopt;
}

core::Estimate estimate_of(const Plateau& plateau, std::string_view name, std::string_view unit) {
  std::map<int, std::vector<double>> by_repetition;
  for (const core::Measurement* point : plateau.points)
    for (const core::Repetition& repetition : point->repetitions)
      if (const auto* metric = core::find(repetition.samples.metrics, name, unit))
        by_repetition[repetition.number].push_back(metric->value);
  std::vector<double> values;
  for (const auto& [number, all] : by_repetition) values.push_back(stats::median(all));
  return stats::estimate(std::string(name), std::string(unit), values);
}

double steepest_octave(const Plateau& plateau) {
  double steepest = 1;
  for (std::size_t i = 0; i < plateau.points.size(); ++i) {
    for (std::size_t j = i + 1; j < plateau.points.size(); ++j) {
      if (footprint_bytes(*plateau.points[j]) > 2 * footprint_bytes(*plateau.points[i])) break;
      const double ratio =
          plateau.points[j]->summary.front().value / plateau.points[i]->summary.front().value;
      steepest = std::max({steepest, ratio, 1 / ratio});
    }
  }
  return steepest;
}

}  // namespace map
