#pragma once
// One population or two: latencies of near and far places mix in one list of values.

#include <cstddef>
#include <optional>
#include <span>

namespace stats {

struct Mode {
  double median = 0;
  double spread = 0;  // median absolute deviation
  std::size_t count = 0;
};

/// Two populations, told apart by a valley between them.
struct Modes {
  Mode low;
  Mode high;
  double threshold = 0;   // values up to it belong to `low`
  double confidence = 0;  // that no single-peaked population leaves so empty a valley
  /// Of the values, in `high`, and its interval at 0.95 (Wilson's).
  double high_share = 0;
  double share_from = 0;
  double share_to = 0;
};

struct ModesOptions {
  double confidence = 0.999;  // least that counts as two
  double separation = 4;  // least distance of the medians, in standard deviations (mean of both)
  double valley = 0.5;    // most that the middle third may hold, of the emptier neighbour
  double resolution = 1;  // of the values: equal ones may differ by so much
  double minimum_share = 0.01;  // of the smaller population; fewer are outliers
};

/// The two populations of `values`, or nothing where one explains them: none is forced. The cut is
/// where the distances of the values to the medians of their parts sum up to least, which a tail
/// moves little. What counts as two then is decided by the valley: of the thirds between both medians
/// the middle one holds fewer values than either neighbour, by a binomial test; a single peak, wherever
/// it lies, leaves the middle at least as full as one of them. Throws std::invalid_argument for a
/// value that is no finite number.
std::optional<Modes> two_modes(std::span<const double> values, const ModesOptions& options = {});

}  // namespace stats
