#pragma once
// Kernels in the widest vector registers that the CPU at hand has, from one binary.

#include <cstddef>
#include <cstdint>
#include <string>

namespace host {

/// One register of `Bytes`, over memory that may hold any type.
template <std::size_t Bytes>
struct Register {
  typedef std::uint64_t Words __attribute__((vector_size(Bytes), may_alias));
  typedef double Doubles __attribute__((vector_size(Bytes), may_alias));
};

/// Registers that kernels made with MICRO_WIDEST use here: "avx512f", "avx2", else "baseline" (16
/// bytes: what every x86-64 and every 64-bit Arm has).
const std::string& vector_extension();

/// For tests of the narrower kernels: use `extension` if the CPU has it, from here on; "" is the
/// widest again. Returns whether the CPU has it.
bool use_vector_extension(const std::string& extension);

template <typename Kernel>
Kernel* widest(Kernel* avx512f, Kernel* avx2, Kernel* baseline) {
  if (vector_extension() == "avx512f") return avx512f;
  return vector_extension() == "avx2" ? avx2 : baseline;
}

}  // namespace host

// From `template <std::size_t Bytes> [[gnu::always_inline]] inline RESULT kernel PARAMETERS` makes
// kernel_widest(), which gives a pointer to the kernel in the widest registers. Stamped and not
// left to the compiler's own cloning: a register type of 64 bytes goes through the stack where
// registers are narrower.
#if defined(__x86_64__)
#define MICRO_TARGET(extension) [[gnu::target(extension)]]
#else
#define MICRO_TARGET(extension)
#endif
#define MICRO_WIDEST(kernel, result, parameters, arguments)                                   \
  MICRO_TARGET("avx512f") result kernel##_avx512f parameters { return kernel<64> arguments; } \
  MICRO_TARGET("avx2") result kernel##_avx2 parameters { return kernel<32> arguments; }       \
  result kernel##_baseline parameters { return kernel<16> arguments; }                        \
  auto kernel##_widest() {                                                                    \
    return host::widest(&kernel##_avx512f, &kernel##_avx2, &kernel##_baseline);               \
  }
