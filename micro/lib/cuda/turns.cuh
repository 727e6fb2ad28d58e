#pragma once
// Taking turns inside a kernel.

#include "cuda/device_chain.hpp"
#include "cuda/ptx/memory.cuh"
#include "cuda/turns.hpp"
#include "cuda/windows.cuh"

namespace cuda {

/// Until `turn` has come to `value`. Those whose turn is far off look rarely: their looks are traffic.
__device__ __forceinline__ void wait_for_turn(std::uint32_t* turn, std::uint32_t value) {
  if (threadIdx.x == 0) {
    std::uint32_t now = *static_cast<volatile std::uint32_t*>(turn);
    while (now < value) {
      __nanosleep(value - now > 2 ? 4000 : 100);
      now = *static_cast<volatile std::uint32_t*>(turn);
    }
    __threadfence();
  }
  __syncthreads();
}

__device__ __forceinline__ void pass_on(std::uint32_t* turn, std::uint32_t value) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *static_cast<volatile std::uint32_t*>(turn) = value;
}

/// All of a line's bytes, by eight threads of the block.
__device__ __forceinline__ void write_lines(std::uint64_t base, const std::uint32_t* lines,
                                            std::uint32_t count, std::uint32_t stamp) {
  constexpr std::uint32_t kVectors = kLineBytes / sizeof(uint4);
  for (std::uint32_t i = threadIdx.x; i < count * kVectors; i += blockDim.x) {
    const std::uint32_t line = lines[i / kVectors];
    const std::uint32_t word = word_of_line(line, stamp);
    ptx::store_vector(
        reinterpret_cast<uint4*>(base + std::uint64_t{line} * kLineBytes) + i % kVectors,
        {word, word, word, word});
  }
}

/// Cycles of one access, which begins when its address is there and ends when `value` is.
__device__ __forceinline__ std::uint32_t time_access(std::uint64_t address, std::uint32_t& value) {
  const std::uint64_t before = ptx::clock64_after(address);
  value = ptx::load_word<ptx::Operator::cg>(address);
  const std::uint64_t cycles = ptx::clock64_after(value) - before;
  return cycles < kLongestAccess ? static_cast<std::uint32_t>(cycles) : kLongestAccess;
}

/// The body of a TurnKernel: one block an SM, all resident. `turn` is 0, or 1 when nobody writes; turn
/// 2t is the write before block t's turn, 2t + 1 its reading.
__device__ __forceinline__ void take_turns(const Turns& turns, std::uint32_t* turn,
                                           TurnRecord* records) {
  __shared__ std::uint32_t list[kMaxTurnLines];
  __shared__ std::uint32_t taken[kTurnPasses][kMaxTurnLines];
  TurnRecord& record = records[blockIdx.x];
  const ClockReading start = read_clocks();
  for (std::uint32_t i = threadIdx.x; i < turns.count; i += blockDim.x)
    list[i] = turns.lines[blockIdx.x * turns.stride + i];
  const bool writes = ptx::smid() == turns.writer;
  const std::uint32_t first = writes ? 0 : blockIdx.x;
  const std::uint32_t end = writes ? gridDim.x : blockIdx.x + 1;
#pragma unroll 1
  for (std::uint32_t t = first; t < end; ++t) {
    wait_for_turn(turn, writes ? 2 * t : 2 * t + 1);
    if (writes) {
      write_lines(turns.base, list, turns.count, turns.stamp + t);
      if (t != blockIdx.x) {
        pass_on(turn, 2 * t + 1);
        continue;
      }
      __threadfence();
      __syncthreads();
    }
    if (threadIdx.x == 0) {
      std::uint32_t sum = 0;
#pragma unroll 1
      for (std::uint32_t pass = 0; pass < kTurnPasses; ++pass) {
#pragma unroll 1
        for (std::uint32_t i = 0; i < turns.count; ++i) {
          std::uint32_t value;
          taken[pass][i] = time_access(turns.base + std::uint64_t{list[i]} * kLineBytes, value);
          sum += value;
        }
      }
      record.sum = sum;
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < kTurnPasses * turns.count; i += blockDim.x)
      record.cycles[i / turns.count][i % turns.count] = taken[i / turns.count][i % turns.count];
    pass_on(turn, 2 * t + (turns.writer == kNobody ? 3 : 2));
  }
  if (threadIdx.x != 0) return;
  std::uint64_t least = 1 << 20;
#pragma unroll 1
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint64_t before = ptx::clock64_after(least);
    const std::uint64_t cycles = ptx::clock64_after(i) - before;
    least = cycles < least ? cycles : least;
  }
  record.clock_overhead = static_cast<std::uint32_t>(least);
  record.span = {.start = start, .stop = read_clocks(), .smid = ptx::smid(), .block = blockIdx.x};
}

}  // namespace cuda
