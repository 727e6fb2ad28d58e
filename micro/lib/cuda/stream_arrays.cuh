#pragma once
// What stream kernels share: the data as a function of the element's number, the chunks of blocks, and a look at the clock.

#include <cstdint>

#include "cuda/ptx/clock.cuh"
#include "cuda/stream_arrays.hpp"
#include "cuda/stream_run.hpp"

namespace cuda {

/// Word `part` (0 to 3) of 16-byte element `i`, random-looking and incompressible: zeros change power and, where memory compresses, traffic. Of one form for
/// all four, so that a part that is known only at run time costs selections and no branches.
__device__ __forceinline__ std::uint32_t pattern_word(std::uint64_t i, unsigned part) {
  std::uint32_t h =
      static_cast<std::uint32_t>(i) * 0x9e3779b1U + static_cast<std::uint32_t>(i >> 32);
  h ^= h >> 15;
  const std::uint32_t factor = part == 0   ? 0x85ebca6bU
                               : part == 1 ? 1U
                               : part == 2 ? 0xc2b2ae35U
                                           : 0x27d4eb2fU;
  return ((h * factor) ^ (part == 1 ? 0x7ed55d16U : 0U)) + (part == 3 ? 0x165667b1U : 0U);
}

__device__ __forceinline__ uint4 pattern(std::uint64_t i) {
  return {pattern_word(i, 0), pattern_word(i, 1), pattern_word(i, 2), pattern_word(i, 3)};
}

/// The same as four floats in [1, 2), so that a triad stays finite.
__device__ __forceinline__ uint4 float_pattern(std::uint64_t i) {
  const uint4 v = pattern(i);
  const auto one_to_two = [](std::uint32_t word) { return (word >> 9) | 0x3f800000U; };
  return {one_to_two(v.x), one_to_two(v.y), one_to_two(v.z), one_to_two(v.w)};
}

__device__ __forceinline__ std::uint32_t sum_of(uint4 v) { return v.x + v.y + v.z + v.w; }

/// a + 3 b, as floats.
__device__ __forceinline__ std::uint32_t triad_word(std::uint32_t a, std::uint32_t b) {
  return __float_as_uint(__fmaf_rn(3.0F, __uint_as_float(b), __uint_as_float(a)));
}
__device__ __forceinline__ uint4 triad(uint4 a, uint4 b) {
  return {triad_word(a.x, b.x), triad_word(a.y, b.y), triad_word(a.z, b.z), triad_word(a.w, b.w)};
}

/// Threads that an SM holds at once, of the architecture that is being compiled (CUDA programming guide, technical specifications per compute
/// capability): what launch bounds may promise.
#if !defined(__CUDA_ARCH__)
inline constexpr int kThreadsPerSm = 2048;
#elif __CUDA_ARCH__ == 750
inline constexpr int kThreadsPerSm = 1024;
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200
inline constexpr int kThreadsPerSm = 1536;
#else
inline constexpr int kThreadsPerSm = 2048;
#endif

/// The whole lines of each array that a block of a resident grid owns; chunks differ by one line at most.
struct Chunk {
  std::uint64_t first;    // vector
  std::uint64_t vectors;  // 0 when there are more blocks than lines
};

__device__ __forceinline__ Chunk chunk_of(std::uint64_t vectors, unsigned block, unsigned blocks) {
  constexpr std::uint64_t kVectorsPerLine = 8;
  const std::uint64_t lines = vectors / kVectorsPerLine;
  const std::uint64_t first = lines * block / blocks;
  const std::uint64_t last = lines * (block + 1) / blocks;
  return {.first = first * kVectorsPerLine, .vectors = (last - first) * kVectorsPerLine};
}

__device__ __forceinline__ void look_at_clock(ClockWatch* watch) {
  if (threadIdx.x != 0 || ptx::smid() != 0) return;
  const std::uint64_t cycles = ptx::clock64();
  const std::uint64_t ns = ptx::globaltimer();
  atomicMin(&watch->first_cycles, cycles);
  atomicMin(&watch->first_ns, ns);
  atomicMax(&watch->last_cycles, cycles);
  atomicMax(&watch->last_ns, ns);
}

}  // namespace cuda
