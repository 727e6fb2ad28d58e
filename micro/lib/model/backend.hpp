#pragma once
// A memory hierarchy in closed form with seeded noise, whose answers are known: for tests, and
// labelled as simulated wherever it appears.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/backend.hpp"

namespace model {

struct ModelLevel {
  std::string name;
  std::int64_t capacity_bytes = 0;  // 0: the last one
  double latency_cycles = 0;
  double bytes_per_cycle_per_sm = 0;
  std::string scope = "GPU";  // what one instance serves; "SM": each SM has its own, and a
                              // bandwidth curve sees sm_count of them together
};

struct Hierarchy {
  std::vector<ModelLevel> levels;
  double clock_hertz = 1.5e9;
  int sm_count = 4;
  double noise = 0.01;    // relative standard deviation of a sample
  double transition = 0;  // 0: hard steps; else the width of a step in octaves
  std::int64_t memory_bytes = std::int64_t{4} << 30;  // what capacities state; nothing is allocated
};

/// What the model answers without noise; shapes of the curves for tests. Footprint as the probes
/// mean it: of one SM's chase, and over all SMs together.
double latency_cycles(const Hierarchy& hierarchy, std::int64_t footprint_bytes);
double read_bytes_per_cycle_per_sm(const Hierarchy& hierarchy, std::int64_t footprint_bytes);

/// The hierarchy of configs/model.yaml: three caches and memory.
Hierarchy default_hierarchy();

/// The environment variable MICRO_INJECT (model/faults.hpp) wraps the backend in faults, so that a
/// whole program can be tested in trouble; a mistake in it is what unavailable() says.
std::unique_ptr<core::Backend> make_backend(const Hierarchy& hierarchy = default_hierarchy());

}  // namespace model
