// Question: how many cycles until a load, or an atomic, from shared memory returns.
// Method:   one thread chases a random cycle over a 16 KiB array; difference of two window lengths.
//           raw: each element holds the address of the next, so the loaded value is the next address
//           as it is. index: it holds an index, and one instruction makes the address of it.
//           atomic: as raw, but each visit is an exclusive-or in place (ATOMS.XOR) whose returned old
//           value is the next address, and which turns the pointer that it leaves to the neighbour.
// Holds when the final element is the one that the host predicts; of atomic also, when every element
//           at the end is as the host's own walk leaves it.
// Flaws:    one thread: no bank conflict is possible; their cost is another probe's question. The
//           methods are different quantities and stand apart. An index chase takes 28 or 29 cycles, or a
//           mean of both, by its registers alone: between the instruction that makes an address and
//           its load the compiler writes a wait of 5 cycles, and of 6 where the value goes to the
//           register that holds the address (LDS R6, [R6]). Here it is 6 throughout.
//
// 512 loads in the line between the clock reads, none more, and before the stop clock a test of what the last one
// brought. Of index each right after the one instruction that makes its address, and into the same register.
// SASS-LABEL: Function : {{.*}}shared_chase{{.*}}MethodE0
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: LDS {{R[0-9]+}}, [R{{[0-9]+}}]
// SASS: LDS [[LAST:R[0-9]+]], [
// SASS-NOT: {{LDS|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LDS}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}shared_chase{{.*}}MethodE1
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: LEA [[AT:R[0-9]+]], {{R[0-9]+, .*[[:space:]]+([UIL][IMSO].*[[:space:]]+)*LDS}} [[AT]], {{\[}}[[AT]]]
// SASS: LDS [[LAST:R[0-9]+]], [
// SASS-NOT: {{LDS|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LDS}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}shared_chase{{.*}}MethodE2
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: ATOMS.XOR {{R[0-9]+}}, [R{{[0-9]+}}], R
// SASS: ATOMS.XOR [[LAST:R[0-9]+]], [
// SASS-NOT: {{ATOMS|LDS|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{ATOMS|LDS}}
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
constexpr std::uint32_t kElementBytes = 4;
// A straight line of 512 hops, once or five times: both windows run the same code, whose edges cancel.
constexpr std::uint32_t kLine = 512;
constexpr std::uint32_t kShortLines = 1;
constexpr std::uint32_t kLongLines = 5;

enum class Method { raw, index, atomic };

__host__ __device__ constexpr WindowPlan window_plan() {
  return {.pairs = 32,
          .short_operations = kShortLines * kLine,
          .long_operations = kLongLines * kLine,
          .warm_operations = kLine};
}

/// Of index `at` is an index into the array at `base`, else an address. `turn` is what an atomic turns a
/// pointer by.
template <Method method>
__device__ __forceinline__ void walk(std::uint32_t& at, std::uint32_t base, std::uint32_t turn,
                                     std::uint32_t lines) {
#pragma unroll 1
  for (std::uint32_t line = 0; line < lines; ++line)
#pragma unroll
    for (std::uint32_t i = 0; i < kLine; ++i) {
      if constexpr (method == Method::raw) at = cuda::ptx::load_shared(at);
      if constexpr (method == Method::index) at = cuda::ptx::load_shared(base + at * kElementBytes);
      if constexpr (method == Method::atomic) at = cuda::ptx::xor_shared(at, turn);
    }
}

/// `left` takes the index that each element holds at the end.
template <Method method>
__global__ void shared_chase(const std::uint32_t* next, std::uint32_t start, std::uint32_t turn,
                             WindowRecord* record, std::uint32_t* final_element,
                             std::uint32_t* left) {
  alignas(8) __shared__ std::uint32_t elements[kElements];
  const std::uint32_t base = cuda::ptx::shared_address(elements);
  const auto held = [&](std::uint32_t element) {
    return method == Method::index ? element : base + element * kElementBytes;
  };
  const auto element = [&](std::uint32_t value) {
    return method == Method::index ? value : (value - base) / kElementBytes;
  };
  for (std::uint32_t i = 0; i < kElements; ++i) elements[i] = held(next[i]);
  std::uint32_t at = held(start);
  walk<method>(at, base, turn, 1);
  cuda::time_windows(window_plan(), record, [&](bool is_long) {
    const std::uint32_t lines = is_long ? kLongLines : kShortLines;
    return cuda::time_window(at, [&](std::uint32_t& x) { walk<method>(x, base, turn, lines); });
  });
  *final_element = element(at);
  for (std::uint32_t i = 0; i < kElements; ++i) left[i] = element(elements[i]);
}

/// Where the walk ends; `next` becomes what it leaves.
std::uint32_t walk_on_host(Method method, std::vector<std::uint32_t>& next, std::uint32_t at,
                           std::uint64_t hops) {
  if (method != Method::atomic) return core::follow(next, at, hops % kElements);
  for (; hops > 0; --hops) {
    const std::uint32_t after = next[at];
    next[at] ^= 1;  // to the element beside it
    at = after;
  }
  return at;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const std::uint64_t seed =
      core::mix_seed(core::mix_seed(trial.seed, point.id()), trial.repetition);
  std::vector<std::uint32_t> next = core::random_cycle(kElements, seed);
  if (core::cycle_length(next, 0) != kElements)
    throw core::MeasureError("the chain does not visit every element once");
  const auto start = static_cast<std::uint32_t>(core::mix_seed(seed, 1) % kElements);

  cuda::DeviceBuffer<std::uint32_t> device_next(kElements);
  auto record = cuda::poisoned<WindowRecord>(1, context.stream);
  auto final_element = cuda::poisoned<std::uint32_t>(1, context.stream);
  auto device_left = cuda::poisoned<std::uint32_t>(kElements, context.stream);
  cuda::upload<std::uint32_t>(next, device_next.data(), context.stream);
  const std::string& word = point.word("method");
  const Method method = word == "raw"     ? Method::raw
                        : word == "index" ? Method::index
                                          : Method::atomic;
  auto* kernel = method == Method::raw     ? shared_chase<Method::raw>
                 : method == Method::index ? shared_chase<Method::index>
                                           : shared_chase<Method::atomic>;
  kernel<<<1, 1, 0, context.stream>>>(device_next.data(), start, kElementBytes, record.data(),
                                      final_element.data(), device_left.data());
  MICRO_CUDA_CHECK_LAUNCH("shared chase");
  WindowRecord result;
  std::uint32_t reached = 0;
  std::vector<std::uint32_t> left(kElements);
  cuda::download<WindowRecord>(record.data(), {&result, 1}, context.stream);
  cuda::download<std::uint32_t>(final_element.data(), {&reached, 1}, context.stream);
  cuda::download<std::uint32_t>(device_left.data(), left, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  const std::uint64_t hops = cuda::operations_done(window_plan(), result);
  core::Samples samples = cuda::latency_samples(window_plan(), result);
  samples.checks.push_back(core::check("final index",
                                       reached == walk_on_host(method, next, start, hops),
                                       "the element that the host predicts after all hops"));
  samples.checks.push_back(
      core::check("elements left", left == next, "what the host's own walk leaves in the array"));
  samples.facts.push_back({"span", std::string(core::unit::kBytes), kElements * kElementBytes});
  samples.facts.push_back({"hops", std::string(core::unit::kCount), static_cast<double>(hops)});
  return samples;
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kScratchpadLatency),
     .question = "how many cycles until a load or an atomic from shared memory returns",
     .method = "chase over 16 KiB of shared memory, one thread, difference of two window lengths",
     .axes = {{.name = "method",
               .unit = "",
               .meaning = "raw: the value is the next address; index: the address is computed from "
                          "it; atomic: as raw, each visit an atomic exclusive-or",
               .words = {"raw", "index", "atomic"},
               .automatic = {"raw", "index", "atomic"}}},
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 5e-3}; }},
    measure};

}  // namespace
