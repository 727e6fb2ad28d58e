#pragma once
// How far a run is, on stderr: one line redrawn on a terminal, now and then a plain line elsewhere.

#include <chrono>
#include <cstdio>
#include <string>

#include "run/runner.hpp"

namespace app {

/// "[ 12/340] 3.20 s, 20.0 s left: latency/global/footprint_bytes:1024"
std::string progress_text(const run::Progress& progress);

class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// `columns` bounds a redrawn line; plain lines are not cut.
  ProgressLine(std::FILE* stream, bool redrawn, int columns)
      : stream_(stream), redrawn_(redrawn), columns_(columns) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Redrawn at most every 50 ms, plain at most every 2 s: between measurements of microseconds, a
  /// write to a terminal would be most of the run.
  void show(const run::Progress& progress, Clock::time_point now = Clock::now());
  /// Leaves an empty line where a redrawn one stood.
  void clear();

 private:
  std::FILE* stream_;
  bool redrawn_;
  int columns_;
  bool drawn_ = false;
  Clock::time_point next_ = Clock::time_point::min();
};

}  // namespace app
