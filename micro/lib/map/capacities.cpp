#include "map/capacities.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/units.hpp"
#include "map/notes.hpp"

namespace map {
namespace {

bool is_latency(const Curve& curve) {
  return core::kind_of_probe(curve.probe) == core::Kind::latency;
}

std::string_view metric_name(const Curve& curve) {
  return is_latency(curve) ? "latency" : "bandwidth";
}

std::string_view metric_unit(const Curve& curve) {
  return is_latency(curve) ? core::unit::kCycles : core::unit::kBytesPerSecond;
}

// A stream gets faster until its start and its end no longer count: such steps before its
// fastest level are no boundaries.
void drop_start_up(std::vector<Boundary>& boundaries) {
  const auto fastest = std::ranges::max_element(boundaries, {}, &Boundary::after);
  if (fastest == boundaries.end() || fastest->after <= boundaries.front().before) return;
  boundaries.erase(boundaries.begin(), fastest + 1);
}

std::string span_text(std::int64_t low_bytes, std::int64_t high_bytes) {
  return core::format_bytes(low_bytes) + " to " + core::format_bytes(high_bytes);
}

std::string step_text(const Curve& curve, const Boundary& boundary) {
  return fmt::format("{}: {} to {} between {} (confidence {:.3f})", curve.name(),
                     core::format_value(boundary.before, metric_unit(curve)),
                     core::format_value(boundary.after, metric_unit(curve)),
                     span_text(boundary.low_bytes, boundary.high_bytes), boundary.confidence);
}

// A second step close around a level's own end is the same transition: a chase of one SM mixes hits
// and misses from half a cache upwards, and no level lies between.
constexpr double kMixtureFrom = 0.4;
constexpr double kMixtureTo = 4;

const core::Point& any_point(const Curve& curve) { return curve.points.front()->point; }

std::int64_t total_capacity(const core::Level& level, const Curve& curve,
                            const core::Description& description) {
  return level.stated_capacity_bytes * instances(level, any_point(curve), description.capacities);
}

bool is_mixture(const Boundary& boundary, const Boundary& end, std::int64_t capacity_bytes) {
  const double around = static_cast<double>(capacity_bytes > 0 ? capacity_bytes : end.found_bytes);
  const double found = static_cast<double>(boundary.found_bytes);
  return found >= kMixtureFrom * around && found < kMixtureTo * around;
}

// The level whose transition an unmatched boundary belongs to.
std::optional<std::size_t> mixture_of(const Reading& reading, const Boundary& boundary,
                                      const core::Description& description) {
  for (std::size_t i = 0; i < description.levels.size(); ++i) {
    const Boundary* end = reading.end_of(i);
    if (end != nullptr &&
        is_mixture(boundary, *end,
                   total_capacity(description.levels[i], *reading.curve, description)))
      return i;
  }
  return std::nullopt;
}

const Reading* first_for(std::span<const Reading> readings, const core::Level& level) {
  const Reading* best = nullptr;
  for (const Reading& reading : readings) {
    const Curve& curve = *reading.curve;
    if (!is_made_for(curve, level)) continue;
    if (!curve.operation.empty() && curve.operation != "read") continue;
    if (best == nullptr || curve.threads_count > best->curve->threads_count) best = &reading;
  }
  return best;
}

void take(Capacity& capacity, const Boundary& end, std::int64_t instances) {
  capacity.found_bytes = end.found_bytes / instances;
  capacity.found_low_bytes = end.low_bytes / instances;
  capacity.found_high_bytes = end.high_bytes / instances;
  capacity.confidence = end.confidence;
  if (end.gradual)
    add_note(capacity.note,
             fmt::format("ends gradually, {}: the points between mix this level and the next",
                         span_text(capacity.found_low_bytes, capacity.found_high_bytes)));
}

class Search {
 public:
  Search(std::span<const Reading> latency, std::span<const Reading> bandwidth,
         const core::Description& description)
      : latency_(latency), bandwidth_(bandwidth), description_(description) {}

  Capacities run();

 private:
  Capacity of_level(std::size_t index);
  void compare(std::size_t index, const Boundary& latency, const Reading& bandwidth,
               Capacity& capacity);
  void explain(const Reading& reading);

  std::span<const Reading> latency_;
  std::span<const Reading> bandwidth_;
  const core::Description& description_;
  Capacities result_;
};

void Search::compare(std::size_t index, const Boundary& latency, const Reading& bandwidth,
                     Capacity& capacity) {
  const Boundary* end = bandwidth.end_of(index);
  if (end == nullptr) return;
  const core::Level& level = description_.levels[index];
  const std::int64_t share = instances(level, any_point(*bandwidth.curve), description_.capacities);
  add_note(capacity.note, fmt::format("streams of all SMs: {}",
                                      span_text(end->low_bytes / share, end->high_bytes / share)));
  if (latency.widest_low_bytes <= end->widest_high_bytes / share &&
      end->widest_low_bytes / share <= latency.widest_high_bytes)
    return;
  result_.disagreements.push_back(
      fmt::format("{} capacity: latency steps between {}, bandwidth between {}{}", level.name,
                  span_text(latency.low_bytes, latency.high_bytes),
                  span_text(end->low_bytes / share, end->high_bytes / share),
                  share > 1 ? fmt::format(" for each of {}", share) : ""));
}

Capacity Search::of_level(std::size_t index) {
  const core::Level& level = description_.levels[index];
  Capacity capacity{.stated_bytes = level.stated_capacity_bytes, .stated_by = level.stated_by};
  if (level.family != core::Family::cache) return capacity;
  const Reading* latency = first_for(latency_, level);
  const Reading* bandwidth = first_for(bandwidth_, level);
  const Boundary* end = latency != nullptr ? latency->end_of(index) : nullptr;
  std::int64_t share = 1;  // a stream of many SMs sees the level of each
  if (end != nullptr) {
    take(capacity, *end, 1);
    if (bandwidth != nullptr) compare(index, *end, *bandwidth, capacity);
    for (const Boundary& other : latency->boundaries)
      if (&other != end && mixture_of(*latency, other, description_) == index)
        add_note(capacity.note, fmt::format("a mixture around it, no level: {}",
                                            step_text(*latency->curve, other)));
  } else if (end = bandwidth != nullptr ? bandwidth->end_of(index) : nullptr; end != nullptr) {
    share = instances(level, any_point(*bandwidth->curve), description_.capacities);
    take(capacity, *end, share);
    add_note(capacity.note, "from the bandwidth curve: the latency curve has no step here");
  } else {
    add_note(capacity.note, latency == nullptr && bandwidth == nullptr
                                ? "no sweep reaches this level"
                                : "no step found where this level would end");
  }
  if (end != nullptr && capacity.stated_bytes > 0 && !end->may_be(capacity.stated_bytes * share))
    add_note(capacity.note, fmt::format("found and stated disagree: {} stated",
                                        core::format_bytes(capacity.stated_bytes)));
  return capacity;
}

void Search::explain(const Reading& reading) {
  for (std::size_t j = 0; j < reading.boundaries.size(); ++j) {
    const bool is_end = std::ranges::any_of(
        reading.of_level, [&](const auto& matched) { return matched && *matched == j; });
    if (is_end || mixture_of(reading, reading.boundaries[j], description_)) continue;
    result_.unexplained.push_back(step_text(*reading.curve, reading.boundaries[j]));
  }
}

Capacities Search::run() {
  for (std::size_t i = 0; i < description_.levels.size(); ++i)
    result_.of_level.push_back(of_level(i));
  for (const Reading& reading : latency_) explain(reading);
  for (const Reading& reading : bandwidth_)  // the other operations would only repeat it
    if (reading.curve->operation.empty() || reading.curve->operation == "read") explain(reading);
  return std::move(result_);
}

}  // namespace

Reading read(const Curve& curve, const core::Description& description) {
  Reading reading{.curve = &curve,
                  .boundaries = boundaries(curve, metric_name(curve), metric_unit(curve)),
                  .of_level = {}};
  if (!is_latency(curve)) drop_start_up(reading.boundaries);
  reading.of_level.resize(description.levels.size());
  std::vector<std::size_t> caches;
  std::vector<std::int64_t> stated;
  for (std::size_t i = 0; i < description.levels.size(); ++i) {
    const core::Level& level = description.levels[i];
    if (level.family != core::Family::cache) continue;
    if (!reaches(description.levels, i, curve.cache_operator)) continue;
    caches.push_back(i);
    stated.push_back(total_capacity(level, curve, description));
  }
  const auto matched = match(stated, reading.boundaries);
  for (std::size_t k = 0; k < caches.size(); ++k) reading.of_level[caches[k]] = matched[k];
  return reading;
}

Capacities capacities(std::span<const Reading> latency, std::span<const Reading> bandwidth,
                      const core::Description& description) {
  return Search(latency, bandwidth, description).run();
}

}  // namespace map
