#pragma once
// The entries of one level, from the curves that show it or from the points that are about it.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "map/capacities.hpp"
#include "map/entries.hpp"

namespace map {

/// Everything that the numbers of a level are drawn from.
struct Evidence {
  const core::Description* description = nullptr;
  std::vector<const core::Measurement*> measurements;  // by id
  std::vector<Reading> latency;                        // of every curve
  std::vector<Reading> bandwidth;
  std::vector<Capacity> capacities;  // one a level
  DeviceFamily family = DeviceFamily::none;
};

/// Where levels[index] lies on this curve.
Surroundings surroundings(const Evidence& evidence, const Reading& reading, std::size_t index);

/// Entries of a cache or of memory. Other operators that reach the same level are a second method:
/// where they differ, `disagreements` says both values.
std::vector<Entry> latency_of(const Evidence& evidence, std::size_t index,
                              std::vector<std::string>& disagreements);
std::vector<Entry> bandwidth_of(const Evidence& evidence, std::size_t index);

/// Every operation or method of a question, each by itself: operand and scratchpad latencies.
std::vector<Entry> each_variant(const Evidence& evidence, std::string_view answers,
                                const Subject& subject);

/// Per operation the fastest of its points (a rate is what can be reached): operand rate,
/// scratchpad bandwidth.
std::vector<Entry> best_of_each_variant(const Evidence& evidence, std::string_view answers,
                                        const Subject& subject);

}  // namespace map
