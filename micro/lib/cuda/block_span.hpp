#pragma once
// When and where each block of a many-SM kernel ran, and what interval follows.

#include <cstdint>
#include <span>
#include <vector>

#include "core/samples.hpp"
#include "cuda/windows.hpp"

namespace cuda {

struct BlockSpan {
  ClockReading start;
  ClockReading stop;
  std::uint32_t smid;
  std::uint32_t block;
};

struct GridSpan {
  double ns = 0;  // from the earliest start to the latest stop of any block, by the global timer
  core::Clock clock = {};  // of the block that ran longest
  std::vector<double> sm_cycles =
      {};  // per SM that ran blocks, in the order of smid: earliest start to
           // latest stop, by its own clock
  std::vector<double> sm_blocks = {};  // blocks that it ran
  std::vector<double> sm_ids = {};     // its %smid
};

/// Throws core::MeasureError for no blocks or a clock that stood still.
GridSpan grid_span(std::span<const BlockSpan> blocks);

}  // namespace cuda
