#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/stream_arrays.cuh"

namespace cuda {
namespace {

constexpr unsigned kBlocks = 1024;
constexpr unsigned kThreads = 256;

template <typename Function>
__device__ __forceinline__ void for_each_vector(std::uint64_t vectors, Function&& function) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{kThreads} + threadIdx.x; i < vectors;
       i += std::uint64_t{gridDim.x} * kThreads)
    function(i);
}

// The pattern from element `from` on.
__global__ void write_pattern(uint4* array, std::uint64_t vectors, std::uint64_t from,
                              bool floats) {
  for_each_vector(vectors, [&](std::uint64_t i) {
    array[i] = floats ? float_pattern(from + i) : pattern(from + i);
  });
}

uint4* target_of(const StreamArrays& arrays, Operation operation) {
  return operation == Operation::write  ? arrays.a
         : operation == Operation::copy ? arrays.b
                                        : arrays.c;
}

__global__ void count_wrong(const uint4* array, std::uint64_t vectors, bool is_triad,
                            unsigned long long* wrong) {
  std::uint32_t found = 0;
  for_each_vector(vectors, [&](std::uint64_t i) {
    const uint4 right = is_triad ? triad(float_pattern(i), float_pattern(i + 1)) : pattern(i);
    const uint4 is = array[i];
    found += is.x != right.x || is.y != right.y || is.z != right.z || is.w != right.w;
  });
  if (found != 0) atomicAdd(wrong, found);
}

// One row of blocks a chunk, kBlocks / chunks slices of it (at least one).
__global__ void sum_chunks(std::uint64_t vectors, std::uint32_t laps, std::uint32_t* sums) {
  const Chunk chunk = chunk_of(vectors, blockIdx.y, gridDim.y);
  if (chunk.vectors == 0) return;
  std::uint32_t sum = 0;
  for_each_vector(chunk.vectors,
                  [&](std::uint64_t i) { sum += sum_of(pattern(chunk.first + i)) * laps; });
  atomicAdd(sums + blockIdx.y, sum);
}

}  // namespace

Operation operation_from(std::string_view word) {
  if (word == "read") return Operation::read;
  if (word == "write") return Operation::write;
  if (word == "copy") return Operation::copy;
  if (word == "triad") return Operation::triad;
  throw core::MeasureError("'" + std::string(word) + "' is no stream; read, write, copy, triad");
}

int arrays_of(Operation operation) {
  return operation == Operation::triad ? 3 : operation == Operation::copy ? 2 : 1;
}

StreamArrays lay_arrays(std::byte* place, std::size_t footprint_bytes, Operation operation) {
  constexpr std::size_t kLine = 128;
  const std::size_t bytes =
      footprint_bytes / static_cast<std::size_t>(arrays_of(operation)) / kLine * kLine;
  const auto at = [&](std::size_t n) { return reinterpret_cast<uint4*>(place + n * bytes); };
  return {.a = at(0), .b = at(1), .c = at(2), .vectors = bytes / sizeof(uint4)};
}

void fill(const StreamArrays& arrays, Operation operation, cudaStream_t stream) {
  const bool floats = operation == Operation::triad;
  if (operation != Operation::write) {
    write_pattern<<<kBlocks, kThreads, 0, stream>>>(arrays.a, arrays.vectors, 0, floats);
    MICRO_CUDA_CHECK_LAUNCH("write_pattern");
  }
  if (operation == Operation::triad) {
    // Moved by one element against `a`, so that exchanged operands are found out.
    write_pattern<<<kBlocks, kThreads, 0, stream>>>(arrays.b, arrays.vectors, 1, floats);
    MICRO_CUDA_CHECK_LAUNCH("write_pattern");
  }
  if (operation != Operation::read)
    MICRO_CUDA_CHECK(cudaMemsetAsync(target_of(arrays, operation), 0xa5,
                                     arrays.vectors * sizeof(uint4), stream));
}

core::Check check_written(const StreamArrays& arrays, Operation operation, cudaStream_t stream) {
  const uint4* target = target_of(arrays, operation);
  DeviceBuffer<unsigned long long> wrong(1);
  MICRO_CUDA_CHECK(cudaMemsetAsync(wrong.data(), 0, wrong.size_bytes(), stream));
  count_wrong<<<kBlocks, kThreads, 0, stream>>>(target, arrays.vectors,
                                                operation == Operation::triad, wrong.data());
  MICRO_CUDA_CHECK_LAUNCH("count_wrong");
  unsigned long long count = 0;
  download<unsigned long long>(wrong.data(), {&count, 1}, stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(stream));
  return core::check("poison overwritten", count == 0,
                     std::to_string(count) + " elements do not hold what should have been written");
}

std::vector<std::uint32_t> expected_sums(const StreamArrays& arrays, unsigned blocks,
                                         std::uint32_t laps, cudaStream_t stream) {
  DeviceBuffer<std::uint32_t> sums(blocks);
  MICRO_CUDA_CHECK(cudaMemsetAsync(sums.data(), 0, sums.size_bytes(), stream));
  const dim3 grid(std::max(1U, kBlocks / blocks), blocks);
  sum_chunks<<<grid, kThreads, 0, stream>>>(arrays.vectors, laps, sums.data());
  MICRO_CUDA_CHECK_LAUNCH("sum_chunks");
  std::vector<std::uint32_t> result(blocks);
  download<std::uint32_t>(sums.data(), result, stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(stream));
  return result;
}

}  // namespace cuda
