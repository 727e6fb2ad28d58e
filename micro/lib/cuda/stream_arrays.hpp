#pragma once
// The arrays that a stream runs over: laid in the arena, filled with known data, poisoned where it writes, and checked afterwards.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/samples.hpp"

namespace cuda {

enum class Operation { read, write, copy, triad };  // a; a =; b = a; c = a + 3 b

/// Throws core::MeasureError for another word.
Operation operation_from(std::string_view word);
/// Arrays that the operation touches; each has footprint / arrays bytes.
int arrays_of(Operation operation);

struct StreamArrays {
  uint4* a = nullptr;
  uint4* b = nullptr;
  uint4* c = nullptr;
  std::uint64_t vectors = 0;  // 16-byte elements of each array, whole lines

  std::size_t bytes(Operation operation) const {
    return vectors * sizeof(uint4) * static_cast<std::size_t>(arrays_of(operation));
  }
};

/// The arrays one behind the other from `place` on, together `footprint_bytes` rounded down to whole lines an array.
StreamArrays lay_arrays(std::byte* place, std::size_t footprint_bytes, Operation operation);

/// Sources hold the pattern, the target is poisoned. Queued.
void fill(const StreamArrays& arrays, Operation operation, cudaStream_t stream);

/// Whether every element of the target holds what the operation should have written.
core::Check check_written(const StreamArrays& arrays, Operation operation, cudaStream_t stream);

/// What the sums over everything read must be when array `a` is cut into `blocks` chunks (see
/// stream_arrays.cuh) and each chunk is read `laps` times. Computed from the pattern, not from memory.
std::vector<std::uint32_t> expected_sums(const StreamArrays& arrays, unsigned blocks,
                                         std::uint32_t laps, cudaStream_t stream);

}  // namespace cuda
