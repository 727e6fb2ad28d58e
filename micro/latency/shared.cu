// Question: how many cycles until a load from shared memory returns.
// Method:   one thread chases a random cycle over a 16 KiB array; difference of two window lengths.
//           raw: each element holds the address of the next, so the loaded value is the next address
//           as it is. index: it holds an index, and the address is computed from it, as most
//           programs do.
// Holds when the final element is the one that the host predicts.
// Flaws:    one thread: no bank conflict is possible; their cost is another probe's question. The two
//           methods are different quantities and stand apart.
//
// 512 loads in the line between the clock reads, none more, and before the stop clock a test of what the last one
// brought. b0: index; b1: raw, where the loaded value is the address as it is.
// SASS-LABEL: Function : {{.*}}shared_chaseILb0E
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: LDS {{R[0-9]+}}, [
// SASS: LDS [[LAST:R[0-9]+]], [
// SASS-NOT: {{LDS|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LDS}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}shared_chaseILb1E
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: LDS {{R[0-9]+}}, [R{{[0-9]+}}]
// SASS: LDS [[LAST:R[0-9]+]], [
// SASS-NOT: {{LDS|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LDS}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <vector>

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/ptx/memory.cuh"
#include "cuda/windows.cuh"

namespace {

using cuda::WindowPlan;
using cuda::WindowRecord;

constexpr std::uint32_t kElements = 4096;
// A straight line of 512 hops, once or five times: both windows run the same code, whose edges cancel.
constexpr std::uint32_t kLine = 512;
constexpr std::uint32_t kShortLines = 1;
constexpr std::uint32_t kLongLines = 5;

__host__ __device__ constexpr WindowPlan window_plan() {
  return {.pairs = 32,
          .short_operations = kShortLines * kLine,
          .long_operations = kLongLines * kLine,
          .warm_operations = kLine};
}

/// Raw: `at` is an address and so is what is loaded; else both are indices into the array at `base`.
template <bool kRaw>
__device__ __forceinline__ void walk(std::uint32_t& at, std::uint32_t base, std::uint32_t lines) {
#pragma unroll 1
  for (std::uint32_t line = 0; line < lines; ++line)
#pragma unroll
    for (std::uint32_t i = 0; i < kLine; ++i)
      at = cuda::ptx::load_shared(kRaw ? at : base + at * sizeof(std::uint32_t));
}

template <bool kRaw>
__global__ void shared_chase(const std::uint32_t* next, std::uint32_t start, WindowRecord* record,
                             std::uint32_t* final_element) {
  __shared__ std::uint32_t array[kElements];
  constexpr std::uint32_t kBytes = sizeof(std::uint32_t);
  const std::uint32_t base = cuda::ptx::shared_address(array);
  const auto held = [&](std::uint32_t element) { return kRaw ? base + element * kBytes : element; };
  for (std::uint32_t i = 0; i < kElements; ++i) array[i] = held(next[i]);
  std::uint32_t at = held(start);
  walk<kRaw>(at, base, 1);
  cuda::time_windows(window_plan(), record, [&](bool is_long) {
    const std::uint32_t lines = is_long ? kLongLines : kShortLines;
    return cuda::time_window(at, [&](std::uint32_t& x) { walk<kRaw>(x, base, lines); });
  });
  *final_element = kRaw ? (at - base) / kBytes : at;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const std::uint64_t seed =
      core::mix_seed(core::mix_seed(trial.seed, point.id()), trial.repetition);
  const std::vector<std::uint32_t> next = core::random_cycle(kElements, seed);
  if (core::cycle_length(next, 0) != kElements)
    throw core::MeasureError("the chain does not visit every element once");
  const auto start = static_cast<std::uint32_t>(core::mix_seed(seed, 1) % kElements);

  cuda::DeviceBuffer<std::uint32_t> device_next(kElements);
  auto record = cuda::poisoned<WindowRecord>(1, context.stream);
  auto final_element = cuda::poisoned<std::uint32_t>(1, context.stream);
  cuda::upload<std::uint32_t>(next, device_next.data(), context.stream);
  auto* kernel = point.word("method") == "raw" ? shared_chase<true> : shared_chase<false>;
  kernel<<<1, 1, 0, context.stream>>>(device_next.data(), start, record.data(),
                                      final_element.data());
  MICRO_CUDA_CHECK_LAUNCH("shared chase");
  WindowRecord result;
  std::uint32_t reached = 0;
  cuda::download<WindowRecord>(record.data(), {&result, 1}, context.stream);
  cuda::download<std::uint32_t>(final_element.data(), {&reached, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  const std::uint64_t hops = cuda::operations_done(window_plan(), result);
  core::Samples samples = cuda::latency_samples(window_plan(), result);
  samples.checks.push_back(core::check("final index",
                                       reached == core::follow(next, start, hops % kElements),
                                       "the element that the host predicts after all hops"));
  samples.facts.push_back(
      {"span", std::string(core::unit::kBytes), kElements * sizeof(std::uint32_t)});
  samples.facts.push_back({"hops", std::string(core::unit::kCount), static_cast<double>(hops)});
  return samples;
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kScratchpadLatency),
     .question = "how many cycles until a load from shared memory returns",
     .method = "chase over 16 KiB of shared memory, one thread, difference of two window lengths",
     .axes = {{.name = "method",
               .unit = "",
               .meaning =
                   "raw: the value is the next address; index: the address is computed from it",
               .words = {"raw", "index"},
               .automatic = {"raw", "index"}}},
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 4e-3}; }},
    measure};

}  // namespace
