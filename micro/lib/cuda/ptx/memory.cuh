#pragma once
// Loads and stores, one instruction each. Cache operators are hints: what they did is for the
// counters to say.

#include <cstdint>

namespace cuda::ptx {

/// ca: cache at all levels. cg: in L2 only. nc: the path for data that nobody writes while the kernel runs. volatile_: what others write
/// is seen (relaxed, of the whole system).
enum class Operator { ca, cg, nc, volatile_ };

/// 8 bytes: a pointer of a chain.
template <Operator op>
__device__ __forceinline__ std::uint64_t load_pointer(std::uint64_t address) {
  std::uint64_t value;
  if constexpr (op == Operator::ca)
    asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  else if constexpr (op == Operator::cg)
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  else if constexpr (op == Operator::nc)
    asm volatile("ld.global.nc.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  else
    asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  return value;
}

/// 4 bytes: an index of a chain.
template <Operator op>
__device__ __forceinline__ std::uint32_t load_word(std::uint64_t address) {
  std::uint32_t value;
  if constexpr (op == Operator::ca)
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  else if constexpr (op == Operator::cg)
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  else if constexpr (op == Operator::nc)
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  else
    asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

/// 16 bytes.
template <Operator op>
__device__ __forceinline__ uint4 load_vector(const uint4* address) {
  uint4 v;
  if constexpr (op == Operator::ca)
    asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(address));
  else
    asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(address));
  return v;
}

/// `kWords` (1, 2, 4) consecutive words of global memory, loaded at once; ca or cg.
template <Operator op, int kWords>
__device__ __forceinline__ void load_words(const void* address, std::uint32_t (&v)[kWords]) {
  static_assert(op == Operator::ca || op == Operator::cg);
  if constexpr (kWords == 1 && op == Operator::ca)
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[0]) : "l"(address));
  else if constexpr (kWords == 1)
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[0]) : "l"(address));
  else if constexpr (kWords == 2 && op == Operator::ca)
    asm volatile("ld.global.ca.v2.u32 {%0,%1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "l"(address));
  else if constexpr (kWords == 2)
    asm volatile("ld.global.cg.v2.u32 {%0,%1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "l"(address));
  else if constexpr (op == Operator::ca)
    asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "l"(address));
  else
    asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "l"(address));
}

/// Four floats, into four registers that begin with a multiple of four.
__device__ __forceinline__ float4 load_quad(const float4* address) {
  float4 v;
  asm volatile("ld.global.v4.f32 {%0,%1,%2,%3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(address));
  return v;
}

__device__ __forceinline__ void store_vector(uint4* address, uint4 v) {
  asm volatile("st.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(address), "r"(v.x), "r"(v.y), "r"(v.z),
               "r"(v.w)
               : "memory");
}

/// Address of a shared-memory object as the 32-bit ld.shared and st.shared take it.
__device__ __forceinline__ std::uint32_t shared_address(const void* generic) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(generic));
}

__device__ __forceinline__ std::uint32_t load_shared(std::uint32_t address) {
  std::uint32_t value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  return value;
}

/// What is there now: never what the compiler remembers of it.
__device__ __forceinline__ std::uint32_t load_shared_now(std::uint32_t address) {
  std::uint32_t value;
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  return value;
}

/// Exclusive-or with `bits` in place; returns what was there.
__device__ __forceinline__ std::uint32_t xor_shared(std::uint32_t address, std::uint32_t bits) {
  std::uint32_t old;
  asm volatile("atom.shared.xor.b32 %0, [%1], %2;"
               : "=r"(old)
               : "r"(address), "r"(bits)
               : "memory");
  return old;
}

/// Sum of `kWords` (1, 2, 4) consecutive words, loaded at once.
template <int kWords>
__device__ __forceinline__ std::uint32_t load_shared_sum(std::uint32_t address) {
  if constexpr (kWords == 1) {
    return load_shared(address);
  } else if constexpr (kWords == 2) {
    uint2 v;
    asm volatile("ld.shared.v2.u32 {%0,%1}, [%2];"
                 : "=r"(v.x), "=r"(v.y)
                 : "r"(address)
                 : "memory");
    return v.x + v.y;
  } else {
    uint4 v;
    asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "r"(address)
                 : "memory");
    return v.x + v.y + v.z + v.w;
  }
}

/// The first of `kWords` (1, 2, 4) consecutive words, all loaded at once; the others are added to `rest`,
/// for what nobody uses is not loaded.
template <int kWords>
__device__ __forceinline__ std::uint32_t load_shared_first(std::uint32_t address,
                                                           std::uint32_t& rest) {
  if constexpr (kWords == 1) {
    return load_shared(address);
  } else if constexpr (kWords == 2) {
    uint2 v;
    asm volatile("ld.shared.v2.u32 {%0,%1}, [%2];"
                 : "=r"(v.x), "=r"(v.y)
                 : "r"(address)
                 : "memory");
    rest += v.y;
    return v.x;
  } else {
    uint4 v;
    asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "r"(address)
                 : "memory");
    rest += v.y + v.z + v.w;
    return v.x;
  }
}

/// `kWords` (1, 2, 4) consecutive words of the same value, stored at once.
template <int kWords>
__device__ __forceinline__ void store_shared(std::uint32_t address, std::uint32_t value) {
  if constexpr (kWords == 1)
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
  else if constexpr (kWords == 2)
    asm volatile("st.shared.v2.u32 [%0], {%1,%1};" ::"r"(address), "r"(value) : "memory");
  else
    asm volatile("st.shared.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(address), "r"(value) : "memory");
}

/// Address of an object of the thread's own, as ld.local and st.local take it.
__device__ __forceinline__ std::uint32_t local_address(const void* generic) {
  return static_cast<std::uint32_t>(__cvta_generic_to_local(generic));
}

__device__ __forceinline__ std::uint32_t load_local(std::uint32_t address) {
  std::uint32_t value;
  asm volatile("ld.local.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  return value;
}

/// The compiler may take a load of what was just stored from the register: it keeps memory in mind here, volatile or not.
__device__ __forceinline__ void store_local(std::uint32_t address, std::uint32_t value) {
  asm volatile("st.local.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}

/// Element `index` of a linear texture of 32-bit unsigned integers.
__device__ __forceinline__ std::uint32_t fetch_texture(cudaTextureObject_t texture,
                                                       std::uint32_t index) {
  std::uint32_t value;
  asm volatile(
      "{\n\t.reg .b32 green, blue, alpha;\n\t"
      "tex.1d.v4.u32.s32 {%0, green, blue, alpha}, [%1, {%2}];\n\t}"
      : "=r"(value)
      : "l"(texture), "r"(index)
      : "memory");
  return value;
}

}  // namespace cuda::ptx
