#pragma once
// Timed windows of work that several pinned threads do together.

#include <cstddef>
#include <functional>
#include <vector>

#include "core/samples.hpp"
#include "host/device_info.hpp"

namespace host {

/// How a stream over arrays is cut into short windows, so that one in which a core was taken away
/// stands out: many passes over a small chunk, or a slice of one pass over a large one. From sizes
/// alone. Window w of `count()` does slice w % slices in round w / slices; round 0 warms.
struct StreamPlan {
  std::size_t array_bytes = 0;  // of each array of each thread; a multiple of the line
  int passes = 1;               // over the slice in one window
  int slices = 1;
  int rounds = 1;

  int count() const { return slices * rounds; }
  /// Bytes into an array, whole lines; slice_begin(slices) is the array's end.
  std::size_t slice_begin(int slice) const;
  std::size_t slice_bytes(int window) const;
};
StreamPlan plan_stream(std::size_t array_bytes, std::size_t arrays);

struct Windows {
  std::vector<double> ns;  // from the first thread's start to the last one's end, one a window
  core::Clock clock;       // all threads together, calibrated at the same time before and after
};

/// Runs work(thread, window) on `threads` threads for window 0 .. count-1; the first `warm` ones are
/// not in the result. Every thread starts a window together with the others. `work` must not throw.
Windows timed_windows(const DeviceInfo& device, int threads, int warm, int count,
                      const std::function<void(int thread, int window)>& work);

}  // namespace host
