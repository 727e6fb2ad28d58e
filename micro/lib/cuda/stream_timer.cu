#include <cstdlib>

#include "core/error.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/description.hpp"
#include "cuda/ptx/clock.cuh"
#include "cuda/stream.hpp"
#include "cuda/stream_timer.hpp"

namespace cuda {
namespace {

constexpr std::uint64_t kBlockerLimitNs = 200'000'000;

// `held[0]`: the host lets go; `held[1]`: the kernel gave up waiting.
__global__ void hold(volatile std::uint32_t* held) {
  const std::uint64_t start = ptx::globaltimer();
  while (held[0] == 0) {
    if (ptx::globaltimer() - start > kBlockerLimitNs) {
      held[1] = 1;
      return;
    }
  }
}

// A profiler or a sanitizer serialises kernels: one that waits for the host would only run into its limit.
bool serialised() { return std::getenv("CUDA_INJECTION64_PATH") != nullptr || kernels_cut_short(); }

/// Holds a stream from construction to release().
class Blocker {
 public:
  explicit Blocker(cudaStream_t stream) : held_(2) {
    held_[0] = serialised() ? 1 : 0;
    held_[1] = 0;
    hold<<<1, 1, 0, stream>>>(held_.data());
    MICRO_CUDA_CHECK_LAUNCH("hold");
  }
  Blocker(const Blocker&) = delete;
  Blocker& operator=(const Blocker&) = delete;
  // The kernel must never be left waiting, whatever was thrown behind it; destroying `held_` waits for it.
  ~Blocker() { release(); }

  void release() { static_cast<volatile std::uint32_t*>(held_.data())[0] = 1; }
  bool gave_up() const { return static_cast<const volatile std::uint32_t*>(held_.data())[1] != 0; }

 private:
  PinnedBuffer<std::uint32_t> held_;
};

}  // namespace

std::vector<double> time_launches(cudaStream_t stream, int count,
                                  const std::function<void()>& launch) {
  std::vector<Event> starts(static_cast<std::size_t>(count));
  std::vector<Event> stops(static_cast<std::size_t>(count));
  Blocker blocker(stream);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    starts[i].record(stream);
    launch();
    stops[i].record(stream);
  }
  blocker.release();
  MICRO_CUDA_CHECK(cudaStreamSynchronize(stream));
  if (blocker.gave_up()) throw core::MeasureError("queueing the launches took longer than 200 ms");
  std::vector<double> ns;
  for (std::size_t i = 0; i < starts.size(); ++i) ns.push_back(elapsed_ns(starts[i], stops[i]));
  return ns;
}

double time_back_to_back(cudaStream_t stream, int count, const std::function<void()>& launch) {
  const auto all = time_launches(stream, 1, [&] {
    for (int i = 0; i < count; ++i) launch();
  });
  return all.front() / count;
}

}  // namespace cuda
