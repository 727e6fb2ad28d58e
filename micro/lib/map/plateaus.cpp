#include "map/plateaus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/units.hpp"
#include "map/notes.hpp"
#include "stats/summary.hpp"

namespace map {
namespace {

constexpr double kNoEnd = std::numeric_limits<double>::infinity();
// Runs of one footprint agree within 1 %; what a cache still does at 4 x its size shows as 7 %.
constexpr double kFlatStep = 0.03;
constexpr double kNotFlat = 0.10;  // over a whole plateau, by steps that are each small

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
  // A lap over a small footprint is short, and its start and end are timed with it: such figures
  // are too low.
  if (is_bandwidth) {
    all.push_back({0.25 * own, 0.5 * own});
    all.push_back({0.1 * own, 0.5 * own});
  }
  all.push_back({0, 0.5 * own});
  all.push_back({0, 0.9 * own, "no point at half the capacity or less"});
  return all;
}

std::vector<Window> cache_windows(const Surroundings& around) {
  const double own = static_cast<double>(around.own);
  const double nearer = static_cast<double>(around.nearer);
  // A chase of one SM sees a part of a shared cache as its own and the rest as farther: from half a
  // cache upwards it mixes with what lies beyond. Private chunks of a stream do not.
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

double headline(const core::Measurement& measurement) { return measurement.summary.front().value; }

// By how much the larger value exceeds the smaller one: 0.1 is 10 %.
double change(double one, double other) { return std::max(one / other, other / one) - 1; }

bool overlap(const core::Measurement& one, const core::Measurement& other) {
  const core::Estimate &a = one.summary.front(), &b = other.summary.front();
  return a.low <= b.high && b.low <= a.high;
}

// Above the last cache its share in the figures fades with the footprint, so that the largest one
// is memory with most certainty, and a smaller one for as long as nothing changes on the way.
// Where repetitions scatter by more than a flat step, the intervals tell whether it changed.
void keep_flat_end(Plateau& plateau) {
  auto& points = plateau.points;
  const std::size_t count = points.size();
  const auto step_to = [&](std::size_t i) {
    return change(headline(*points[i - 1]), headline(*points[i]));
  };
  std::size_t first = count - 1;
  const auto is_flat_to = [&](std::size_t i) {
    return step_to(i) <= kFlatStep || overlap(*points[i - 1], *points[i]);
  };
  while (first > 0 && is_flat_to(first)) --first;
  if (first > 0)
    add_note(plateau.note,
             fmt::format("{} of {} points left out ({} is {:.1f} % off the next footprint)", first,
                         count, core::format_bytes(footprint_bytes(*points[first - 1])),
                         100 * step_to(first)));
  points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(first));
  if (points.size() < 2) {
    add_note(plateau.note, "one point: whether its neighbourhood is flat is unknown");
    return;
  }
  double drift = 0;
  for (const core::Measurement* one : points)
    drift = std::max(drift, change(headline(*one), headline(*points.back())));
  if (drift <= kNotFlat) return;
  add_note(plateau.note, fmt::format("not flat: drifts by {:.0f} % in small steps", 100 * drift));
  if (plateau.status == core::Status::ok) plateau.status = core::Status::unstable;
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
    if (around.is_memory) keep_flat_end(*found);
    return found;
  }
  return std::nullopt;
}

core::Estimate estimate_of(const Plateau& plateau, std::string_view name, std::string_view unit) {
  std::map<int, std::vector<double>> by_repetition;
  std::size_t points_count = 0;  // that carry the metric
  for (const core::Measurement* point : plateau.points) {
    if (point->estimate(name, unit) != nullptr) ++points_count;
    for (const core::Repetition& repetition : point->repetitions)
      if (const auto* metric = core::find(repetition.samples.metrics, name, unit))
        by_repetition[repetition.number].push_back(metric->value);
  }
  std::vector<double> values;
  for (const auto& [number, all] : by_repetition)
    if (all.size() == points_count) values.push_back(stats::median(all));
  return stats::estimate(std::string(name), std::string(unit), values);
}

}  // namespace map
