// Not a probe: its figure only says when measuring may begin.

#include <chrono>
#include <cstdint>
#include <vector>

#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/ptx/clock.cuh"
#include "cuda/warm_up.hpp"

namespace cuda {
namespace {

constexpr int kThreadsPerBlock = 256;
constexpr int kMultiplyAdds = 64;

struct Window {
  std::uint64_t cycles;
  std::uint64_t ns;
};

// The timer steps by 32 ns on Hopper and about 1 us before it: both ends wait for a step.
__device__ std::uint64_t next_timer_step() {
  const std::uint64_t before = ptx::globaltimer();
  std::uint64_t now = before;
  while (now == before) {
    now = ptx::globaltimer();
  }
  return now;
}

__global__ void busy_window(std::uint64_t window_ns, float factor, Window* seen) {
  const std::uint64_t start_ns = next_timer_step();
  const std::uint64_t start_cycles = ptx::clock64();
  float value = static_cast<float>(threadIdx.x);
  while (ptx::globaltimer() - start_ns < window_ns) {
#pragma unroll
    for (int i = 0; i < kMultiplyAdds; ++i) {
      value = fmaf(value, factor, factor);
    }
  }
  const std::uint64_t stop_ns = next_timer_step();
  const std::uint64_t stop_cycles = ptx::clock64();
  // The value is never that (factor is 0.5), and the compiler does not know.
  if ((blockIdx.x == 0 && threadIdx.x == 0) || value == -1.0F) {
    *seen = {stop_cycles - start_cycles, stop_ns - start_ns};
  }
}

}  // namespace

WarmUp warm_up(int sm_count, cudaStream_t stream) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  DeviceBuffer<Window> device(1);
  PinnedBuffer<Window> seen(1);
  std::vector<double> hertz;
  WarmUp result;
  while (!result.steady && result.seconds < kWarmUpLimitSeconds) {
    busy_window<<<static_cast<unsigned>(sm_count), kThreadsPerBlock, 0, stream>>>(
        static_cast<std::uint64_t>(kWindowSeconds * 1e9), 0.5F, device.data());
    MICRO_CUDA_CHECK_LAUNCH("busy_window");
    download(device.data(), seen.span(), stream);
    MICRO_CUDA_CHECK(cudaStreamSynchronize(stream));
    hertz.push_back(static_cast<double>(seen[0].cycles) / static_cast<double>(seen[0].ns) * 1e9);
    result = judge(hertz, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return result;
}

std::string compiler_version() {
  return std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__) + "." +
         std::to_string(__CUDACC_VER_BUILD__);
}

}  // namespace cuda
