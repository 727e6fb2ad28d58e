#pragma once
// Where a curve steps: several change points, each with a confidence, none forced.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stats {

struct ChangePoint {
  std::size_t index = 0;  // the first value that is nearer to the level after the step
  double confidence = 0;  // 1 - p of a permutation test, deterministic by seed
  /// Last value of the level before the step and first value of the level after it. Neighbours of
  /// `index` where the step is sharp; what lies between them is a gradual transition, no level.
  std::size_t from = 0;
  std::size_t to = 0;

  bool gradual() const { return to - from > 2; }
};

struct ChangePointOptions {
  double confidence = 0.99;        // least that is reported
  double minimum_step = 0.10;      // relative change of the segment medians that counts as a step
  std::size_t minimum_length = 2;  // values in a segment
  int permutations = 999;
  std::uint64_t seed = 1;
};

/// Change points of `values` (in the order of the axis), in ascending order. Works on logarithms: a
/// step is a ratio. Throws std::invalid_argument for a value that is no positive number.
///
/// Levels and transitions are first separated by segment() (segments.hpp), then every step between
/// two neighbouring levels has to be as large as `minimum_step` and to pass the test: the CUSUM
/// statistic of the step against those of residuals drawn anew from the levels around it.
std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangePointOptions& options = {});

}  // namespace stats
