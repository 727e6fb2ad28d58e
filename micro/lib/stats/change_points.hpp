#pragma once
// Where a curve steps: several change points, each with a confidence, none forced.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stats {

struct ChangePoint {
  std::size_t index = 0;  // the first value of the new segment
  double confidence = 0;  // 1 - p of a permutation test, deterministic by seed
};

struct ChangePointOptions {
  double confidence = 0.99;        // least that is reported
  double minimum_step = 0.10;      // relative change of the segment medians that counts as a step
  std::size_t minimum_length = 2;  // values in a segment
  int permutations = 999;
  std::uint64_t seed = 1;
};

/// Change points of `values` (in the order of the axis), in ascending order. Works on logarithms: a
/// step is a ratio.
std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangePointOptions& options = {});

}  // namespace stats
