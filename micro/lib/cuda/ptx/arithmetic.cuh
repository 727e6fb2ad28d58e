#pragma once
// x = x * a + b and a shuffle, one instruction each.

#include <cstdint>

namespace cuda::ptx {

__device__ __forceinline__ void multiply_add(float& x, float a, float b) {
  asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
}
__device__ __forceinline__ void multiply_add(double& x, double a, double b) {
  asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(a), "d"(b));
}
__device__ __forceinline__ void multiply_add(std::uint32_t& x, std::uint32_t a, std::uint32_t b) {
  asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
}

/// x becomes what lane `from` of the warp holds; all 32 lanes take part.
__device__ __forceinline__ void shuffle(std::uint32_t& x, std::uint32_t from) {
  asm volatile("shfl.sync.idx.b32 %0, %0, %1, 0x1f, 0xffffffff;" : "+r"(x) : "r"(from));
}

}  // namespace cuda::ptx
