#pragma once
// Brings the SM clock to where it stays under load, and says what it saw.

#include <cuda_runtime_api.h>

#include <span>
#include <string>

namespace cuda {

struct WarmUp {
  bool steady = false;
  double hertz = 0;  // median of the last windows
  double low_hertz = 0;
  double high_hertz = 0;
  double seconds = 0;  // spent
};

inline constexpr int kSteadyWindows = 6;
inline constexpr double kWindowSeconds = 5e-3;
inline constexpr double kSteadySpread = 2e-3;
inline constexpr double kWarmUpLimitSeconds = 2;

/// What the last kSteadyWindows of `window_hertz` say (fewer: not steady). Steady: their largest
/// and smallest differ by at most kSteadySpread of their median.
WarmUp judge(std::span<const double> window_hertz, double seconds);

/// "SM clock steady at 1980.0 MHz after 0.04 s (6 windows of 5 ms within 0.2 %)"
std::string warm_up_text(const WarmUp& seen);

/// Keeps every SM busy in windows of 5 ms, the clock of one measured in each (clock64 over
/// globaltimer), until judge() calls them steady or 2 s have passed. Throws what MICRO_CUDA_CHECK
/// throws.
WarmUp warm_up(int sm_count, cudaStream_t stream);

/// "13.0.88": the nvcc that compiled the kernels.
std::string compiler_version();

}  // namespace cuda
