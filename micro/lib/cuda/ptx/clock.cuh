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

/// SM cycles, read no earlier than `value` is there. The read is predicated by a test of the value, which no optimiser can decide:
/// an order of instructions alone (a store of the value before the read) is not kept, for neither needs the other. Returns 0
/// when all bits of `value` are set.
__device__ __forceinline__ std::uint64_t clock64_after(std::uint32_t value) {
  std::uint64_t cycles = 0;
  asm volatile(
      "{\n\t.reg .pred there;\n\t"
      "setp.ne.u32 there, %1, 0xffffffff;\n\t"
      "@there mov.u64 %0, %%clock64;\n\t}"
      : "+l"(cycles)
      : "r"(value)
      : "memory");
  return cycles;
}
__device__ __forceinline__ std::uint64_t clock64_after(std::uint64_t value) {
  std::uint64_t cycles = 0;
  asm volatile(
      "{\n\t.reg .pred there;\n\t"
      "setp.ne.u64 there, %1, 0xffffffffffffffff;\n\t"
      "@there mov.u64 %0, %%clock64;\n\t}"
      : "+l"(cycles)
      : "l"(value)
      : "memory");
  return cycles;
}
__device__ __forceinline__ std::uint64_t clock64_after(float value) {
  return clock64_after(__float_as_uint(value));
}
__device__ __forceinline__ std::uint64_t clock64_after(double value) {
  return clock64_after(static_cast<std::uint64_t>(__double_as_longlong(value)));
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
