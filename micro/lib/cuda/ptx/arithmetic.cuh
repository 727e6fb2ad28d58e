#pragma once
// Steps of a dependent chain: x becomes a function of x, one instruction each. The compiler may not fold them: what it must not know
// (a, b) comes from a kernel's arguments.

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

__device__ __forceinline__ void add(float& x, float a) {
  asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
}

/// x + a + b, which is one instruction in the machine code.
__device__ __forceinline__ void add_three(std::uint32_t& x, std::uint32_t a, std::uint32_t b) {
  asm volatile(
      "{\n\t.reg .u32 sum;\n\t"
      "add.u32 sum, %0, %1;\n\t"
      "add.u32 %0, sum, %2;\n\t}"
      : "+r"(x)
      : "r"(a), "r"(b));
}

/// (x & a) ^ b: a three-input logic function.
__device__ __forceinline__ void and_xor(std::uint32_t& x, std::uint32_t a, std::uint32_t b) {
  asm volatile("lop3.b32 %0, %0, %1, %2, 0x6a;" : "+r"(x) : "r"(a), "r"(b));
}

/// x * x + b in both 16-bit halves of x. That b is one half for both keeps the chain in one pipe: with an operand of its own for each,
/// Hopper's compiler alternates between two instructions (HFMA2, HFMA2.MMA) of different pipes.
__device__ __forceinline__ void square_add_halves(std::uint32_t& x, std::uint16_t b) {
  asm volatile(
      "{\n\t.reg .b32 both;\n\t"
      "mov.b32 both, {%1, %1};\n\t"
      "fma.rn.f16x2 %0, %0, %0, both;\n\t}"
      : "+r"(x)
      : "h"(b));
}

/// -1 / x by the special-function unit, whose result is exact for powers of two. The sign costs nothing, and without it the compiler
/// takes two steps for none.
__device__ __forceinline__ void negative_reciprocal(float& x) {
  asm volatile(
      "{\n\t.reg .f32 negative;\n\t"
      "neg.f32 negative, %0;\n\t"
      "rcp.approx.ftz.f32 %0, negative;\n\t}"
      : "+f"(x));
}

/// 512 steps through one predicate register: it is set from x, each step flips it if a and b differ, and the opposite of what it
/// then holds (1 or 0) becomes x. A predicate cannot leave an asm statement, hence the line in one.
#define MICRO_EIGHT(text) text text text text text text text text
__device__ __forceinline__ void flip_predicate_512_times(std::uint32_t& x, std::uint32_t a,
                                                         std::uint32_t b) {
  asm volatile(
      "{\n\t.reg .pred p;\n\t"
      "setp.ne.u32 p, %0, 0;\n\t"  //
      MICRO_EIGHT(MICRO_EIGHT(
          MICRO_EIGHT("setp.ne.xor.u32 p, %1, %2, p;\n\t"))) "selp.u32 %0, 0, 1, p;\n\t}"
      : "+r"(x)
      : "r"(a), "r"(b));
}
#undef MICRO_EIGHT

/// x becomes what lane `from` of the warp holds; all 32 lanes take part.
__device__ __forceinline__ void shuffle(std::uint32_t& x, std::uint32_t from) {
  asm volatile("shfl.sync.idx.b32 %0, %0, %1, 0x1f, 0xffffffff;" : "+r"(x) : "r"(from));
}

}  // namespace cuda::ptx
