#pragma once
// How much time is left: what was expected, scaled by how expectation and clock have agreed so far.

namespace run {

class Pace {
 public:
  /// Everything that will be measured, in expected seconds (see countable()).
  explicit Pace(double expected_seconds);
  /// Took `seconds` where `expected_seconds` had been expected.
  void measured(double expected_seconds, double seconds);
  /// Will not be measured after all.
  void dropped(double expected_seconds);
  double remaining_seconds() const;

  /// An expectation that can be added up: what a probe does not state (0, not a number) counts as a
  /// millisecond, so that work without a stated cost still moves the estimate.
  static double countable(double expected_seconds);

 private:
  double prior_seconds_;
  double left_seconds_;
  double expected_seconds_ = 0;
  double seen_seconds_ = 0;
};

}  // namespace run
