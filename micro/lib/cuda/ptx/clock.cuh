#pragma once
// Clocks and places of a thread, one instruction each. Volatile with a memory clobber: the compiler
// keeps them between the memory accesses where they are written.

#include <cstdint>

namespace cuda::ptx {

/// SM cycles. 64 bits throughout: a narrowed difference lets the compiler read the two ends by
/// different instructions.
__device__ __forceinline__ std::uint64_t clock64() {
  std::uint64_t cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  return cycles;
}

/// Nanoseconds of a clock of fixed rate; steps by 32 ns on Hopper, about 1 us before it.
__device__ __forceinline__ std::uint64_t globaltimer() {
  std::uint64_t ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
  return ns;
}

__device__ __forceinline__ std::uint32_t smid() {
  std::uint32_t id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

}  // namespace cuda::ptx
