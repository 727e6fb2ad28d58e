#pragma once
// The map as a table that a person reads at once.

#include <string>

#include "report/results.hpp"

namespace report {

struct TerminalOptions {
  int columns = 120;  // 80 at the least
  bool colour = false;
  bool verbose = false;
};

std::string terminal_table(const Results& results, const TerminalOptions& options);

/// One row a measurement: id, status, reason, then metric, value, low, high, n, unit of the
/// headline; a further metric follows in columns metric_2, value_2, ... RFC 4180: every row has the
/// same number of fields, empty where nothing was measured, lines end in CR LF.
std::string csv(const Results& results);

}  // namespace report
