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
};

struct Hierarchy {
  std::vector<ModelLevel> levels;
  double clock_hertz = 1.5e9;
  int sm_count = 4;
  double noise = 0.01;    // relative standard deviation of a sample
  double transition = 0;  // 0: hard steps; else the width of a step in octaves
};

/// The hierarchy of configs/model.yaml: three caches and memory.
Hierarchy default_hierarchy();
std::unique_ptr<core::Backend> make_backend(const Hierarchy& hierarchy = default_hierarchy());

}  // namespace model
