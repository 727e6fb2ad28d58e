#pragma once
// Repetitions -> an estimate with an interval.

#include <span>
#include <vector>

#include "core/measurement.hpp"

namespace stats {

/// Median of values, averaging the middle two; NaN for none. Copies.
double median(std::span<const double> values);
/// Quantile by linear interpolation between order statistics, q in [0,1]; NaN for none.
double quantile(std::span<const double> values, double q);
/// Median absolute deviation (not scaled); NaN for none.
double median_absolute_deviation(std::span<const double> values);

/// The median over repetitions and its interval by ranks (binomial; no assumption on the
/// distribution). `confidence` is what the interval really has: for fewer than 6 values no rank
/// interval reaches 0.95, and the full range with its true confidence is given (5 values: 0.9375).
/// Values are never pooled across repetitions: those of one repetition share its placement and its
/// clock, and would count as more evidence than they are.
core::Estimate estimate(std::string name, std::string unit, std::span<const double> values);

/// One estimate per (name, unit) that the repetitions' metrics carry, in the order of the first
/// repetition.
std::vector<core::Estimate> summarize(std::span<const core::Repetition> repetitions);

}  // namespace stats
