#pragma once
// Taking a block's span inside a kernel.

#include "cuda/block_span.hpp"
#include "cuda/windows.cuh"

namespace cuda {

/// All blocks of a resident grid (a cooperative launch) have arrived; once a launch, `arrived` being 0 before. Not cooperative_groups: its
/// header brings another namespace of our name.
__device__ __forceinline__ void wait_for_grid(std::uint32_t* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1U);
    while (*static_cast<volatile std::uint32_t*>(arrived) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}

/// Start of the timed part: all warps of the block have arrived.
__device__ __forceinline__ ClockReading start_together() {
  __syncthreads();
  return read_clocks();
}

/// Its end: all warps are done. `spans` holds one entry a block.
__device__ __forceinline__ void stop_together(const ClockReading& start, BlockSpan* spans) {
  __syncthreads();
  if (threadIdx.x == 0)
    spans[blockIdx.x] = {
        .start = start, .stop = read_clocks(), .smid = ptx::smid(), .block = blockIdx.x};
}

}  // namespace cuda
