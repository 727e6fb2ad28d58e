// Question: how many cycles until a fetch from a linear texture returns, by footprint: L1, L2.
// Method:   one thread chases one random cycle over the footprint's 128-byte lines: each fetch
//           (tex1Dfetch, 32-bit elements) brings the index of the next. Warm laps come first; the
//           difference of two window lengths, over the hops between them.
// Holds when the final index is the one the host predicts, and the clock ran steadily.
// Flaws:    a loop average of one SM. The texture unit stands before the L1, so this is no "L1
//           latency" but what a program pays that reads through textures; no operator keeps a fetch
//           out of the L1, so that an L2 figure needs a footprint far above it. Memory behind the
//           L2 is latency/global's question. Published 39 to 42 cycles come from a stop clock that
//           nothing ties to the fetch: it runs before the value is there, and the next iteration waits
//           for the rest, outside the interval. Here the clock waits, and the figure is twice that.
//
// Sixteen dependent fetches between the clock reads of each window, no load beside them, and before the stop
// clock a test of what the last one brought.
// SASS-LABEL: Function : {{.*}}texture_chase
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: TLD.LZ RZ, R
// SASS: TLD.LZ RZ, [[LAST:R[0-9]+]],
// SASS-NOT: {{TLD|TEX|LDG|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{TLD|TEX|LDG}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <algorithm>

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/device_chain.hpp"
#include "cuda/ptx/memory.cuh"
#include "cuda/windows.cuh"

namespace {

using cuda::WindowPlan;
using cuda::WindowRecord;

constexpr std::uint32_t kUnroll = 16;
// Elements that a linear texture may have on every GPU that the suite supports.
constexpr std::int64_t kMostBytes = (std::int64_t{1} << 27) * 4;

__device__ __forceinline__ void walk(std::uint32_t& at, cudaTextureObject_t texture,
                                     std::uint64_t hops) {
#pragma unroll 1
  for (std::uint64_t hop = 0; hop < hops; hop += kUnroll)
#pragma unroll
    for (std::uint32_t i = 0; i < kUnroll; ++i) at = cuda::ptx::fetch_texture(texture, at);
}

__global__ void texture_chase(cudaTextureObject_t texture, std::uint32_t start, WindowPlan plan,
                              WindowRecord* record, std::uint32_t* final_index) {
  std::uint32_t at = start;
  walk(at, texture, plan.warm_operations);
  cuda::time_windows(plan, record, [&](bool is_long) {
    const std::uint64_t hops = is_long ? plan.long_operations : plan.short_operations;
    return cuda::time_window(at, [=](std::uint32_t& x) { walk(x, texture, hops); });
  });
  *final_index = at;
}

/// A linear texture of 32-bit unsigned integers over device memory.
class Texture {
 public:
  Texture(std::byte* place, std::size_t bytes, int device) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned>();
    std::size_t most_elements = 0;
    MICRO_CUDA_CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&most_elements, &format, device));
    if (bytes / sizeof(unsigned) > most_elements)
      throw core::SkipError("a linear texture of this device has at most " +
                            std::to_string(most_elements) + " elements");
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = place;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc how{};
    how.readMode = cudaReadModeElementType;
    MICRO_CUDA_CHECK(cudaCreateTextureObject(&object_, &resource, &how, nullptr));
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  ~Texture() { cudaDestroyTextureObject(object_); }

  cudaTextureObject_t object() const { return object_; }

 private:
  cudaTextureObject_t object_ = 0;
};

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const auto footprint = static_cast<std::size_t>(point.number("footprint"));
  const auto lines = static_cast<std::uint32_t>(footprint / cuda::kLineBytes);
  std::byte* place = context.arena.place(footprint, 2 << 20, trial);
  const Texture texture(place, footprint, context.device.ordinal);
  const std::uint64_t seed =
      core::mix_seed(core::mix_seed(trial.seed, point.id()), trial.repetition);
  const cuda::DeviceChain chain = cuda::lay_chain(place, lines, lines, seed, context.stream);

  const WindowPlan plan = cuda::chase_plan(lines, kUnroll, false);
  auto record = cuda::poisoned<WindowRecord>(1, context.stream);
  auto final_index = cuda::poisoned<std::uint32_t>(1, context.stream);
  MICRO_CUDA_CHECK(cudaFuncSetAttribute(
      texture_chase, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1));
  texture_chase<<<1, 1, 0, context.stream>>>(texture.object(), chain.word_after(0), plan,
                                             record.data(), final_index.data());
  MICRO_CUDA_CHECK_LAUNCH("texture_chase");
  WindowRecord result;
  std::uint32_t reached = 0;
  cuda::download<WindowRecord>(record.data(), {&result, 1}, context.stream);
  cuda::download<std::uint32_t>(final_index.data(), {&reached, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  const std::uint64_t hops = cuda::operations_done(plan, result);
  core::Samples samples = cuda::latency_samples(plan, result);
  samples.checks.push_back(core::check("final index", reached == chain.word_after(hops),
                                       "the element that the host predicts after all hops"));
  const std::string count(core::unit::kCount);
  const std::string bytes(core::unit::kBytes);
  samples.facts.insert(
      samples.facts.end(),
      {{"nodes", count, static_cast<double>(lines)},
       {"span", bytes, static_cast<double>(footprint)},
       {"hops", count, static_cast<double>(hops)},
       {"arena_offset", bytes, static_cast<double>(context.arena.offset_of(place))}});
  return samples;
}

std::string skip(const core::Point& point, const core::Capacities& capacities) {
  if (!capacities.has("l2") || point.number("footprint") <= capacities.get("l2")) return {};
  return "larger than the L2 of this device; latency/global asks for memory";
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const auto footprint = point.number("footprint");
  const double nodes = static_cast<double>(footprint) / cuda::kLineBytes;
  const double ns = footprint <= capacities.get("l1") ? 25 : 200;
  return {
      .memory_bytes = footprint,
      .moved_bytes = 2 * nodes * 32,
      .seconds = std::max(1.2e-3, std::max(2 * nodes, 1024.0) * ns * 1e-9) + nodes * 40e-9 + 1e-3};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kTextureLatency),
     .question = "how many cycles until a fetch from a linear texture returns, by footprint",
     .method = "random index chase by tex1Dfetch, one thread, difference of two window lengths",
     .axes = {{.name = "footprint",
               .unit = "bytes",
               .meaning = "memory that the chain visits, every 128-byte line of it",
               .min = 1024,
               .max = kMostBytes,
               .multiple_of = cuda::kLineBytes,
               .automatic = {"16KiB", "8MiB"}}},
     .skip = skip,
     .cost = cost},
    measure};

}  // namespace
