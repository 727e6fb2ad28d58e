#pragma once
// Timed windows of dependent operations inside one warp: pairs of a short and a long window back to
// back, so that what both share (two clock reads, the wait for the last result) cancels in the
// difference.

#include <cstdint>

#include "cuda/ptx/clock.cuh"
#include "cuda/windows.hpp"

namespace cuda {

__device__ __forceinline__ ClockReading read_clocks() {
  return {.cycles = ptx::clock64(), .ns = ptx::globaltimer()};
}

/// Runs `advance` on `state` and returns the cycles from the moment the state is there to the moment its
/// successor is.
template <typename State, typename Advance>
__device__ __forceinline__ std::uint64_t time_window(State& state, Advance&& advance) {
  const std::uint64_t start = ptx::clock64_after(state);
  advance(state);
  return ptx::clock64_after(state) - start;
}

/// `window(is_long)` runs plan.long_operations or plan.short_operations dependent operations and returns
/// their cycles. After the pairs, short windows go on until plan.minimum_ns have passed, so that the clock
/// that ran is known well. Called by one warp; its first thread writes `record`.
template <typename Window>
__device__ __forceinline__ void time_windows(const WindowPlan& plan, WindowRecord* record,
                                             Window&& window) {
  __shared__ std::uint64_t cycles[2 * kMaxPairs];  // short and long, in turn
  const ClockReading start = read_clocks();
  // One loop over both lengths, not unrolled: where a window's length is a value, both run the same code.
#pragma unroll 1
  for (std::uint32_t i = 0; i < 2 * plan.pairs; ++i) {
    const std::uint64_t taken = window(i % 2 == 1);
    if (threadIdx.x == 0) cycles[i] = taken;
  }
  std::uint64_t extra_windows = 0;
#pragma unroll 1
  while (ptx::globaltimer() - start.ns < plan.minimum_ns) {
    window(false);
    ++extra_windows;
  }
  const ClockReading stop = read_clocks();
  if (threadIdx.x == 0) {
    record->start = start;
    record->stop = stop;
    record->extra_windows = extra_windows;
    record->smid = ptx::smid();
    record->pairs = plan.pairs;
    for (std::uint32_t pair = 0; pair < plan.pairs; ++pair) {
      record->short_cycles[pair] = cycles[2 * pair];
      record->long_cycles[pair] = cycles[2 * pair + 1];
    }
  }
}

}  // namespace cuda
