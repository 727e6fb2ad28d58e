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

/// Cycles that `advance` takes, from the moment its first operand is there to the moment `value()`,
/// which its last operation made, is.
template <typename Advance, typename Value>
__device__ __forceinline__ std::uint64_t time_window(Advance&& advance, Value&& value) {
  const std::uint64_t start = ptx::clock64_after(value());
  advance();
  return ptx::clock64_after(value()) - start;
}

/// `advance_short` and `advance_long` run plan.short_operations and plan.long_operations dependent
/// operations; `value` returns what the last of them made; `between` runs after each window, untimed.
/// After the pairs, short windows go on until plan.minimum_ns have passed, so that the clock that ran
/// is known well. Called by one warp; its first thread writes `record`.
template <typename AdvanceShort, typename AdvanceLong, typename Value, typename Between>
__device__ __forceinline__ void time_windows(const WindowPlan& plan, WindowRecord* record,
                                             AdvanceShort&& advance_short,
                                             AdvanceLong&& advance_long, Value&& value,
                                             Between&& between) {
  __shared__ std::uint64_t short_cycles[kMaxPairs];
  __shared__ std::uint64_t long_cycles[kMaxPairs];
  const ClockReading start = read_clocks();
#pragma unroll 1
  for (std::uint32_t pair = 0; pair < plan.pairs; ++pair) {
    const std::uint64_t short_window = time_window(advance_short, value);
    between();
    const std::uint64_t long_window = time_window(advance_long, value);
    between();
    short_cycles[pair] = short_window;
    long_cycles[pair] = long_window;
  }
  std::uint64_t extra_windows = 0;
#pragma unroll 1
  while (ptx::globaltimer() - start.ns < plan.minimum_ns) {
    advance_short();
    between();
    ++extra_windows;
  }
  const ClockReading stop = read_clocks();
  if (threadIdx.x == 0) {
    record->start = start;
    record->stop = stop;
    record->extra_windows = extra_windows;
    record->smid = ptx::smid();
    for (std::uint32_t pair = 0; pair < plan.pairs; ++pair) {
      record->short_cycles[pair] = short_cycles[pair];
      record->long_cycles[pair] = long_cycles[pair];
    }
  }
}

template <typename AdvanceShort, typename AdvanceLong, typename Value>
__device__ __forceinline__ void time_windows(const WindowPlan& plan, WindowRecord* record,
                                             AdvanceShort&& advance_short,
                                             AdvanceLong&& advance_long, Value&& value) {
  time_windows(plan, record, advance_short, advance_long, value, [] {});
}

}  // namespace cuda
