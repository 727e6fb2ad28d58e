#pragma once
// A curve as levels and the transitions between them.

#include <cstddef>
#include <span>
#include <vector>

namespace stats {

struct Segment {
  std::size_t first = 0;
  std::size_t last = 0;  // inclusive
  bool level = true;     // flat; else a transition: values on a straight line

  bool operator==(const Segment&) const = default;
};

/// Standard deviation of the noise of `values`, from differences of neighbours, in spite of steps:
/// the smaller of two estimates. One leaves out the largest quarter of the differences (few steps,
/// any direction); the other takes only those against the direction in which the curve goes as a
/// whole (many steps, one direction, as in a short curve over many levels). 0 for fewer than two
/// values.
double noise_of(std::span<const double> values);

/// Noise at every value: that of the whole, or of the neighbourhood where that is noisier. A cache
/// close by answers in the same time always, memory does not.
std::vector<double> noise_along(std::span<const double> values);

/// The segmentation of least cost: squared residuals over noise squared (one a value), plus a price for every
/// level and every transition. Searching all segmentations, and knowing transitions, is what keeps
/// a gradual step from becoming a ladder of levels, which repeated splitting in two makes of it. A
/// level has at least `minimum_length` values.
std::vector<Segment> segment(std::span<const double> values, std::span<const double> noise,
                             std::size_t minimum_length);

}  // namespace stats
