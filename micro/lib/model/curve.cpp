#include <algorithm>
#include <cmath>

#include "model/backend.hpp"

namespace model {
namespace {

// A step centred on `capacity`, `width` octaves wide; 0 before it, 1 after it.
double beyond(double footprint, double capacity, double width) {
  if (width <= 0) return footprint > capacity ? 1 : 0;
  return std::clamp(std::log2(footprint / capacity) / width + 0.5, 0.0, 1.0);
}

// Geometric between neighbours: caches differ by factors.
template <typename Value>
double blend(const Hierarchy& hierarchy, double footprint, bool all_sms, Value value) {
  const auto& levels = hierarchy.levels;
  double log_value = std::log(value(levels.front()));
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    double capacity = static_cast<double>(levels[i].capacity_bytes);
    if (all_sms && levels[i].scope == "SM") capacity *= hierarchy.sm_count;
    const double share = beyond(footprint, capacity, hierarchy.transition);
    log_value += share * (std::log(value(levels[i + 1])) - std::log(value(levels[i])));
  }
  return std::exp(log_value);
}

}  // namespace

double latency_cycles(const Hierarchy& hierarchy, std::int64_t footprint_bytes) {
  return blend(hierarchy, static_cast<double>(footprint_bytes), false,
               [](const ModelLevel& level) { return level.latency_cycles; });
}

double read_bytes_per_cycle_per_sm(const Hierarchy& hierarchy, std::int64_t footprint_bytes) {
  return blend(hierarchy, static_cast<double>(footprint_bytes), true,
               [](const ModelLevel& level) { return level.bytes_per_cycle_per_sm; });
}

Hierarchy default_hierarchy() {
  return {.levels = {{.name = "L1",
                      .capacity_bytes = 32 << 10,
                      .latency_cycles = 30,
                      .bytes_per_cycle_per_sm = 64,
                      .scope = "SM"},
                     {.name = "L2",
                      .capacity_bytes = 1 << 20,
                      .latency_cycles = 100,
                      .bytes_per_cycle_per_sm = 32},
                     {.name = "L3",
                      .capacity_bytes = 16 << 20,
                      .latency_cycles = 250,
                      .bytes_per_cycle_per_sm = 16},
                     {.name = "memory", .latency_cycles = 700, .bytes_per_cycle_per_sm = 6}}};
}

}  // namespace model
