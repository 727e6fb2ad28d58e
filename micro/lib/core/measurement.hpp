#pragma once
// A planned point after the run: always present, with a status and, unless `ok`, a reason.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/point.hpp"
#include "core/samples.hpp"

namespace core {

enum class Status { ok, unstable, invalid, skipped, failed };

std::string_view to_string(Status status);
std::optional<Status> status_from(std::string_view word);
std::string_view to_string(Verdict verdict);
std::optional<Verdict> verdict_from(std::string_view word);

/// A number with its uncertainty: the median over repetitions and an interval for it.
struct Estimate {
  std::string name;
  std::string unit;
  double value = 0;
  double low = 0;
  double high = 0;
  double confidence =
      0;  // that the interval really has (a rank interval of few repetitions has less than 0.95)
  int n = 0;          // repetitions
  double spread = 0;  // median absolute deviation over the repetitions, in `unit`

  bool operator==(const Estimate&) const = default;
};

struct Repetition {
  int number = 0;                // from 0
  std::string started_utc = {};  // ISO 8601, ms
  Samples samples = {};
};

struct Measurement {
  Point point;
  std::string answers = {};
  std::string method = {};
  Status status = Status::ok;
  std::string reason = {};
  std::vector<Repetition> repetitions = {};  // in order of number
  std::vector<Estimate> summary =
      {};  // one per metric, headline first; empty when nothing was measured

  /// The estimate of that name and unit, or nullptr.
  const Estimate* estimate(std::string_view name, std::string_view unit) const;
};

}  // namespace core
