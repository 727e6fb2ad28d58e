#pragma once
// What was measured beside the levels' headlines: overheads, and figures of every other question.

#include <vector>

#include "map/levels.hpp"

namespace map {

/// Every metric of every measured point of the folder overhead/, by operation or method.
std::vector<Entry> overheads_of(const Evidence& evidence);

/// Every metric of every measured point whose question neither a level nor the overheads answer:
/// a new question is shown without new analysis. By id; bounded by the level that the point names.
std::vector<Entry> figures_of(const Evidence& evidence);

}  // namespace map
