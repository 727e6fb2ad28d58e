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

template <typename State>
struct Timed {
  State state;
  std::uint64_t cycles;
};

/// One window: runs `advance` on `state` and returns the cycles from the moment the state is there to the
/// moment its successor is. A function of its own, not inlined: the code around the operations is then
/// the same for a short and a long window, and cancels to the cycle.
template <typename State, typename Advance>
__device__ __noinline__ Timed<State> time_window(State state, Advance advance) {
  const std::uint64_t start = ptx::clock64_after(state);
  advance(state);
  const std::uint64_t stop = ptx::clock64_after(state);
  return {state, stop - start};
}

/// `short_window` and `long_window` run plan.short_operations and plan.long_operations dependent
/// operations and return their cycles. After the pairs, short windows go on until plan.minimum_ns have
/// passed, so that the clock that ran is known well. Called by one warp; its first thread writes `record`.
template <typename ShortWindow, typename LongWindow>
__device__ __forceinline__ void time_windows(const WindowPlan& plan, WindowRecord* record,
                                             ShortWindow&& short_window, LongWindow&& long_window) {
  __shared__ std::uint64_t short_cycles[kMaxPairs];
  __shared__ std::uint64_t long_cycles[kMaxPairs];
  const ClockReading start = read_clocks();
#pragma unroll 1
  for (std::uint32_t pair = 0; pair < plan.pairs; ++pair) {
    short_cycles[pair] = short_window();
    long_cycles[pair] = long_window();
  }
  std::uint64_t extra_windows = 0;
#pragma unroll 1
  while (ptx::globaltimer() - start.ns < plan.minimum_ns) {
    short_window();
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

/// The windows of one chain of operations: `advance_short` and `advance_long` on the same state.
template <typename State, typename AdvanceShort, typename AdvanceLong>
__device__ __forceinline__ void time_chain(const WindowPlan& plan, WindowRecord* record,
                                           State& state, AdvanceShort advance_short,
                                           AdvanceLong advance_long) {
  const auto run = [&state](auto advance) {
    const Timed<State> timed = time_window(state, advance);
    state = timed.state;
    return timed.cycles;
  };
  time_windows(
      plan, record, [&] { return run(advance_short); }, [&] { return run(advance_long); });
}

}  // namespace cuda
