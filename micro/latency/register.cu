// Question: how many cycles until the result of an instruction can be an operand of the next one of
//           its kind: the register file's latency as a program meets it.
// Method:   one warp runs straight lines of 512 dependent instructions, five in one window and one in
//           the other; the difference, over 2048.
// Holds when the final value is the one that the host computes for that many instructions: none was
//           dropped or folded.
// Flaws:    one pipe with itself; a consumer in another pipe may wait longer.
//
// 512 instructions in the line between the clock reads, none more, and before the stop clock a test of
// the last one's result. Id: double, If: float, Ij: 32-bit integer.
// SASS-LABEL: Function : {{.*}}arithmetic_chainId
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: DFMA {{R[0-9]+, R[0-9]+}},
// SASS: DFMA [[LAST:R[0-9]+]], R
// SASS-NOT: {{DFMA|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{DFMA}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}arithmetic_chainIf
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: FFMA {{R[0-9]+, R[0-9]+}},
// SASS: FFMA [[LAST:R[0-9]+]], R
// SASS-NOT: {{FFMA|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{FFMA}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}arithmetic_chainIj
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: IMAD R{{[0-9]+, R[0-9a-z.]+, R[0-9a-z.]+}},
// SASS: IMAD [[LAST:R[0-9]+]], R
// SASS-NOT: {{IMAD |SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{IMAD }}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}shuffle_chain
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: SHFL.IDX
// SASS: SHFL.IDX PT, [[LAST:R[0-9]+]],
// SASS-NOT: {{SHFL|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{SHFL}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/ptx/arithmetic.cuh"
#include "cuda/windows.cuh"

namespace {

using cuda::WindowPlan;
using cuda::WindowRecord;

// A straight line of 512, once or five times: both windows run the same code, whose edges cancel. What
// remains is the branch of four rounds, a few cycles over 2048 instructions: the figure is no less than
// the latency.
constexpr int kLine = 512;
constexpr int kShortLines = 1;
constexpr int kLongLines = 5;

__host__ __device__ constexpr WindowPlan window_plan() {
  return {.pairs = 32,
          .short_operations = kShortLines * kLine,
          .long_operations = kLongLines * kLine,
          .warm_operations = kLine};
}

template <typename T, typename Step>
__device__ __forceinline__ void run_lines(T& x, int count, Step&& step) {
#pragma unroll 1
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int k = 0; k < kLine; ++k) step(x);
}

template <typename T, typename Step>
__device__ __forceinline__ void chain(T& x, WindowRecord* record, Step&& step) {
  run_lines(x, 1, step);
  cuda::time_windows(window_plan(), record, [&](bool is_long) {
    const int count = is_long ? kLongLines : kShortLines;
    return cuda::time_window(x, [&](T& at) { run_lines(at, count, step); });
  });
}

// Factors and addends come as arguments, so that nothing can be folded.
template <typename T>
__global__ void arithmetic_chain(T x, T a, T b, WindowRecord* record, T* final_value) {
  chain(x, record, [&](T& at) { cuda::ptx::multiply_add(at, a, b); });
  if (threadIdx.x == 0) *final_value = x;
}

// Each lane takes from the next: after k steps lane 0 holds the number of lane k mod 32.
__global__ void shuffle_chain(WindowRecord* record, std::uint32_t* final_value) {
  std::uint32_t x = threadIdx.x;
  const std::uint32_t from = (threadIdx.x + 1) % 32;
  chain(x, record, [&](std::uint32_t& at) { cuda::ptx::shuffle(at, from); });
  if (threadIdx.x == 0) *final_value = x;
}

template <typename T>
struct Outcome {
  WindowRecord record;
  T final_value;
};

/// Launches one warp and fetches what it wrote.
template <typename T, typename Launch>
Outcome<T> run(const cuda::Context& context, Launch&& launch) {
  auto record = cuda::poisoned<WindowRecord>(1, context.stream);
  auto final_value = cuda::poisoned<T>(1, context.stream);
  launch(record.data(), final_value.data());
  MICRO_CUDA_CHECK_LAUNCH("register chain");
  Outcome<T> outcome;
  cuda::download<WindowRecord>(record.data(), {&outcome.record, 1}, context.stream);
  cuda::download<T>(final_value.data(), {&outcome.final_value, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  return outcome;
}

template <typename T>
core::Samples checked(const Outcome<T>& outcome, T expected) {
  core::Samples samples = cuda::latency_samples(window_plan(), outcome.record);
  samples.checks.push_back(
      core::check("final value", outcome.final_value == expected, "as computed on the host"));
  return samples;
}

template <typename T>
core::Samples measure_arithmetic(const cuda::Context& context, T x, T a, T b) {
  const auto outcome = run<T>(context, [&](WindowRecord* record, T* final_value) {
    arithmetic_chain<T><<<1, 32, 0, context.stream>>>(x, a, b, record, final_value);
  });
  T expected = x;
  for (std::uint64_t i = cuda::operations_done(window_plan(), outcome.record); i > 0; --i)
    expected = expected * a + b;
  return checked(outcome, expected);
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  const std::string& operation = point.word("operation");
  // With a = b = 1 the value counts the steps, exactly up to 2^24.
  if (operation == "ffma") return measure_arithmetic<float>(context, 3, 1, 1);
  if (operation == "dfma") return measure_arithmetic<double>(context, 3, 1, 1);
  if (operation == "imad")
    return measure_arithmetic<std::uint32_t>(context, 3, 1664525, 1013904223);
  const auto outcome =
      run<std::uint32_t>(context, [&](WindowRecord* record, std::uint32_t* final_value) {
        shuffle_chain<<<1, 32, 0, context.stream>>>(record, final_value);
      });
  return checked(outcome, static_cast<std::uint32_t>(
                              cuda::operations_done(window_plan(), outcome.record) % 32));
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kOperandLatency),
     .question = "how many cycles until a result can be the next instruction's operand",
     .method = "dependent issue, one warp, straight lines, difference of five and one of 512 "
               "instructions",
     .axes = {{.name = "operation",
               .unit = "",
               .meaning = "the instruction of the chain",
               .words = {"ffma", "imad", "dfma", "shuffle"},
               .automatic = {"ffma", "imad", "dfma", "shuffle"}}},
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 3e-3}; }},
    measure};

}  // namespace
