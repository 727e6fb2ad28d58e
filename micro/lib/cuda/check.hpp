#pragma once
// What becomes of a CUDA error: which of the suite's exceptions it is, and a text that names the
// call and the place.

#include <cuda_runtime_api.h>

#include <string>

namespace cuda {

/// Who has to act on an error.
enum class ErrorClass {
  point,        // this point failed, the next may work: core::MeasureError
  memory,       // memory is taken by others: core::SkipError
  device_lost,  // sticky: every later call in this process fails as well: core::DeviceLostError
};

ErrorClass classify(cudaError_t error);

/// "cudaErrorIllegalAddress (700, an illegal memory access was encountered) from cudaFree(p) at
/// micro/lib/cuda/x.cpp:12". `file` is cut to its part from the last "micro/" on, so that texts do
/// not depend on where the tree stands.
std::string error_text(cudaError_t error, const char* expression, const char* file, int line);

/// Throws what classify() says. An error that is not sticky is cleared first: the next launch check
/// must not blame the next kernel for it. Out of memory adds what is free.
[[noreturn]] void throw_error(cudaError_t error, const char* expression, const char* file,
                              int line);

}  // namespace cuda

#define MICRO_CUDA_CHECK(expression)                                          \
  do {                                                                        \
    const cudaError_t micro_cuda_error = (expression);                        \
    if (micro_cuda_error != cudaSuccess) {                                    \
      ::cuda::throw_error(micro_cuda_error, #expression, __FILE__, __LINE__); \
    }                                                                         \
  } while (false)

/// After `kernel<<<...>>>(...)`: a configuration that the device refuses shows only here. What goes
/// wrong while the kernel runs shows at the next synchronisation.
#define MICRO_CUDA_CHECK_LAUNCH(name)                                                      \
  do {                                                                                     \
    const cudaError_t micro_cuda_error = cudaGetLastError();                               \
    if (micro_cuda_error != cudaSuccess) {                                                 \
      ::cuda::throw_error(micro_cuda_error, "launch of kernel " name, __FILE__, __LINE__); \
    }                                                                                      \
  } while (false)
