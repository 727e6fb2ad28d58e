#pragma once
// Google Benchmark as the outer engine: runs entries one after the other and catches what they
// throw.

#include <functional>
#include <string>
#include <vector>

namespace run {

struct EngineEntry {
  std::string name;                    // need not be unique: repetitions share their point's id
  std::function<double()> measure_ns;  // time of one operation; or throws
};

struct EngineRow {
  double time_ns = 0;
  std::string error = {};  // what the entry threw; empty when it returned
};

/// One row an entry, in order. Runs each entry once, in the order given, whatever Google
/// Benchmark's environment variables say, and writes nothing to stdout. Not reentrant.
std::vector<EngineRow> run_in_order(const std::vector<EngineEntry>& entries);

}  // namespace run
