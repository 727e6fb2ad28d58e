#pragma once
// What the warps of one block do to fill the ports of an SM: reading its shared memory, and reading a chunk of global memory over
// and over.

#include <cstddef>
#include <cstdint>

#include "cuda/ptx/memory.cuh"

namespace cuda {

/// A warp's part of an array in shared memory, that it walks row by row: lane l at element l, so that a request takes one wavefront
/// (4 bytes a lane), two (8) or four (16).
inline constexpr std::uint32_t kWordsPerWarp = 256;

/// Accesses of a round over a warp's part.
template <int kWords>
inline constexpr std::uint32_t kRoundAccesses = kWordsPerWarp / (32 * kWords);

/// First word of the access that `thread` makes as number `u` of a round.
template <int kWords>
__host__ __device__ constexpr std::uint32_t shared_word(std::uint32_t thread, std::uint32_t u) {
  return thread / 32 * kWordsPerWarp + u * 32 * kWords + thread % 32 * kWords;
}

/// Sum of what the accesses of a round load. `place` is the address of the thread's first; it has to move between rounds by what the
/// compiler does not know (zero), or all rounds would load once.
template <int kWords>
__device__ __forceinline__ std::uint32_t read_shared_round(std::uint32_t place) {
  std::uint32_t sum = 0;
#pragma unroll
  for (std::uint32_t u = 0; u < kRoundAccesses<kWords>; ++u)
    sum += ptx::load_shared_sum<kWords>(place + u * 128 * kWords);
  return sum;
}

/// Consecutive bytes that a warp asks for at once, whatever the width: as many loads in flight as that takes.
inline constexpr std::uint32_t kStepBytes = 4096;

/// All warps of the block read `chunk`, which the L1 holds, `laps` times in steps of kStepBytes, the last of a lap shorter where the
/// chunk is no multiple: warp after warp takes the next step, past the ends of laps as anywhere else, without a barrier. Returns the
/// sum of the words that the thread loaded. `bytes` (more than 0) and `chunk` are multiples of a line. Of a chunk that the L1
/// does not hold the warps would read the same lines one behind the other, and find what the first of them brought.
template <int kWords, std::uint32_t kWarps>
__device__ __forceinline__ std::uint32_t read_l1(const std::byte* chunk, std::uint32_t bytes,
                                                 std::uint32_t laps) {
  constexpr auto kOperator = ptx::Operator::ca;
  constexpr std::uint32_t kAccessBytes = 32 * 4 * kWords;
  constexpr std::uint32_t kLoads = kStepBytes / kAccessBytes;
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t steps = (bytes + kStepBytes - 1) / kStepBytes;
  const std::uint32_t ahead = kWarps % steps;  // from a step of the warp to its next, in the chunk
  const std::uint32_t lane_at = threadIdx.x % 32 * 4 * kWords;
  std::uint32_t sum = 0;
  std::uint32_t at = warp % steps;
#pragma unroll 1
  for (std::uint32_t left = steps * laps - warp; static_cast<std::int32_t>(left) > 0;
       left -= kWarps) {
    const std::uint32_t first = at * kStepBytes + lane_at;
    std::uint32_t loaded[kLoads][kWords];
    if (first - lane_at + kStepBytes <= bytes) {
#pragma unroll
      for (std::uint32_t u = 0; u < kLoads; ++u)
        ptx::load_words<kOperator, kWords>(chunk + first + u * kAccessBytes, loaded[u]);
    } else {
#pragma unroll
      for (std::uint32_t u = 0; u < kLoads; ++u) {
#pragma unroll
        for (int w = 0; w < kWords; ++w) loaded[u][w] = 0;
        if (first + u * kAccessBytes < bytes)
          ptx::load_words<kOperator, kWords>(chunk + first + u * kAccessBytes, loaded[u]);
      }
    }
#pragma unroll
    for (std::uint32_t u = 0; u < kLoads; ++u)
#pragma unroll
      for (int w = 0; w < kWords; ++w) sum += loaded[u][w];
    at += ahead;
    at = min(at, at - steps);  // unsigned: the smaller one is the remainder
  }
  return sum;
}

}  // namespace cuda
