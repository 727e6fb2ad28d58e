#pragma once
// One access of a stream: what a thread loads, stores and sums of element i, by width and cache hint; and what a block does with
// many of them.

#include <cstdint>

#include "cuda/block_span.cuh"
#include "cuda/stream_arrays.cuh"

namespace cuda {

/// Of loads and stores alike. none: the instruction without an operator. ca, cg: kept in L1 and L2, in L2 only (a store
/// is the same under both). streaming: first to be evicted (.cs). no_allocate: takes no place in L1. Hints all: what they did is for
/// counters to say.
enum class Hint { none, ca, cg, streaming, no_allocate };

/// One element of an array: 4, 8 or 16 bytes.
template <int kWords>
struct alignas(4 * kWords) Words {
  std::uint32_t word[kWords];
};

#define MICRO_LOAD(qualifier)                                                                \
  do {                                                                                       \
    if constexpr (kWords == 1)                                                               \
      asm volatile("ld.global" qualifier ".u32 %0, [%1];" : "=r"(v.word[0]) : "l"(address)); \
    else if constexpr (kWords == 2)                                                          \
      asm volatile("ld.global" qualifier ".v2.u32 {%0,%1}, [%2];"                            \
                   : "=r"(v.word[0]), "=r"(v.word[1])                                        \
                   : "l"(address));                                                          \
    else                                                                                     \
      asm volatile("ld.global" qualifier ".v4.u32 {%0,%1,%2,%3}, [%4];"                      \
                   : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])      \
                   : "l"(address));                                                          \
  } while (false)
#define MICRO_STORE(qualifier)                                                                    \
  do {                                                                                            \
    if constexpr (kWords == 1)                                                                    \
      asm volatile("st.global" qualifier ".u32 [%0], %1;" ::"l"(address), "r"(v.word[0])          \
                   : "memory");                                                                   \
    else if constexpr (kWords == 2)                                                               \
      asm volatile("st.global" qualifier ".v2.u32 [%0], {%1,%2};" ::"l"(address), "r"(v.word[0]), \
                   "r"(v.word[1])                                                                 \
                   : "memory");                                                                   \
    else                                                                                          \
      asm volatile("st.global" qualifier ".v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(address),           \
                   "r"(v.word[0]), "r"(v.word[1]), "r"(v.word[2]), "r"(v.word[3])                 \
                   : "memory");                                                                   \
  } while (false)

template <Hint hint, int kWords>
__device__ __forceinline__ Words<kWords> load(const Words<kWords>* address) {
  Words<kWords> v;
  if constexpr (hint == Hint::ca)
    MICRO_LOAD(".ca");
  else if constexpr (hint == Hint::cg)
    MICRO_LOAD(".cg");
  else if constexpr (hint == Hint::streaming)
    MICRO_LOAD(".cs");
  else if constexpr (hint == Hint::no_allocate)
    MICRO_LOAD(".L1::no_allocate");
  else
    MICRO_LOAD("");
  return v;
}

template <Hint hint, int kWords>
__device__ __forceinline__ void store(Words<kWords>* address, const Words<kWords>& v) {
  if constexpr (hint == Hint::streaming)
    MICRO_STORE(".cs");
  else if constexpr (hint == Hint::no_allocate)
    MICRO_STORE(".L1::no_allocate");
  else
    MICRO_STORE("");
}
#undef MICRO_LOAD
#undef MICRO_STORE

/// What array element `i` of kWords words holds where pattern() fills it. `i` differs from threadIdx.x by a multiple of 4, as elements of
/// a stream do: which part of 16 bytes it is stays the same for a thread.
template <int kWords>
__device__ __forceinline__ Words<kWords> pattern_words(std::uint64_t i) {
  constexpr unsigned kPerVector = 4 / kWords;
  const unsigned first_word = threadIdx.x % kPerVector * kWords;
  Words<kWords> v;
#pragma unroll
  for (unsigned w = 0; w < kWords; ++w) v.word[w] = pattern_word(i / kPerVector, first_word + w);
  return v;
}

/// One access of operation `op` at element i; what a read brings comes back for the sum.
template <Operation op, Hint hint, int kWords = 4>
struct Access {
  static constexpr bool kReads = op == Operation::read;
  static constexpr unsigned kPerVector = 4 / kWords;
  using Element = Words<kWords>;
  Element a;
  Element b;

  __device__ __forceinline__ void load(const StreamArrays& arrays, std::uint64_t i) {
    if constexpr (op != Operation::write) a = cuda::load<hint>(at(arrays.a, i));
    if constexpr (op == Operation::triad) b = cuda::load<hint>(at(arrays.b, i));
  }
  __device__ __forceinline__ void store(const StreamArrays& arrays, std::uint64_t i) const {
    if constexpr (op == Operation::write)
      cuda::store<hint>(at(arrays.a, i), pattern_words<kWords>(i));
    if constexpr (op == Operation::copy) cuda::store<hint>(at(arrays.b, i), a);
    if constexpr (op == Operation::triad) {
      Element c;
#pragma unroll
      for (int w = 0; w < kWords; ++w) c.word[w] = triad_word(a.word[w], b.word[w]);
      cuda::store<hint>(at(arrays.c, i), c);
    }
  }
  __device__ __forceinline__ std::uint32_t sum() const {
    std::uint32_t total = 0;
    if constexpr (kReads) {
#pragma unroll
      for (int w = 0; w < kWords; ++w) total += a.word[w];
    }
    return total;
  }

 private:
  static __device__ __forceinline__ Element* at(uint4* array, std::uint64_t i) {
    return reinterpret_cast<Element*>(array) + i;
  }
};

/// What a RingKernel does (stream_run.hpp) with `chunk`. `threads`: of the block. `zero` is 0: an address that is the same in every lap
/// could be loaded once for all. A chunk has less than 2^32 elements.
template <typename OneAccess, int kLoads>
__device__ __forceinline__ void run_laps(const StreamArrays& arrays, const Chunk& chunk,
                                         std::uint32_t threads, std::uint32_t warm_laps,
                                         std::uint32_t laps, std::uint32_t zero, BlockSpan* spans,
                                         std::uint32_t* sums, std::uint32_t* arrived) {
  const std::uint32_t step = threads * kLoads;
  const auto elements = static_cast<std::uint32_t>(chunk.vectors * OneAccess::kPerVector);
  std::uint64_t first = chunk.first * OneAccess::kPerVector + threadIdx.x;
  std::uint32_t sum = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 750
  // Without uniform registers eight loads of a triad leave none for this.
  __shared__ ClockReading shared_start[1024];
  ClockReading& start = shared_start[threadIdx.x];
#else
  ClockReading start{};
#endif
#pragma unroll 1
  for (std::uint32_t lap = 0; lap < warm_laps + laps; ++lap) {
    if (lap == warm_laps) {
      wait_for_grid(arrived);
      start = start_together();
    }
    std::uint32_t at = 0;
#pragma unroll 1
    for (; at + step <= elements; at += step) {
      OneAccess access[kLoads];
#pragma unroll
      for (int u = 0; u < kLoads; ++u) access[u].load(arrays, first + at + u * threads);
#pragma unroll
      for (int u = 0; u < kLoads; ++u) {
        access[u].store(arrays, first + at + u * threads);
        sum += access[u].sum();
      }
    }
    if (const std::uint32_t left = elements - at; left > 0) {
      OneAccess access[kLoads];
#pragma unroll
      for (int u = 0; u < kLoads; ++u)
        if (threadIdx.x + u * threads < left) access[u].load(arrays, first + at + u * threads);
#pragma unroll
      for (int u = 0; u < kLoads; ++u)
        if (threadIdx.x + u * threads < left) {
          access[u].store(arrays, first + at + u * threads);
          sum += access[u].sum();
        }
    }
    first += zero;
  }
  stop_together(start, spans);
  if constexpr (OneAccess::kReads) atomicAdd(sums + blockIdx.x, sum);
}

/// What a TileKernel does: the tile of this block's column, whatever its row (a row of blocks is a pass). With `checks` the sum over
/// everything read goes to `sum`; the timed launches compute it as well, and only compare.
template <typename OneAccess, int kLoads>
__device__ __forceinline__ void run_tile(const StreamArrays& arrays, std::uint32_t threads,
                                         bool checks, std::uint32_t* sum, ClockWatch* watch) {
  const std::uint64_t elements = arrays.vectors * OneAccess::kPerVector;
  const std::uint64_t first = blockIdx.x * std::uint64_t{threads * kLoads} + threadIdx.x;
  OneAccess access[kLoads];
#pragma unroll
  for (int u = 0; u < kLoads; ++u)
    if (first + u * threads < elements) access[u].load(arrays, first + u * threads);
  look_at_clock(watch);
  std::uint32_t read = 0;
#pragma unroll
  for (int u = 0; u < kLoads; ++u)
    if (first + u * threads < elements) {
      access[u].store(arrays, first + u * threads);
      read += access[u].sum();
    }
  if (OneAccess::kReads && (checks || read == 0x5bd1e995U)) atomicAdd(sum, read);
}

}  // namespace cuda
