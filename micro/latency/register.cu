// Question: how many cycles until the result of an instruction can be an operand of the next one of
//           its kind: the register file's latency as a program meets it.
// Method:   one warp runs straight lines of 512 dependent instructions, five in one window and one in
//           the other; the difference, over 2048. The instructions: ffma fadd imad iadd3 lop3 dfma as
//           named; hfma2: fused multiply-add of two halves; mufu: -1/x in the special-function unit;
//           shuffle: a value from the next lane. predicate: ISETP.NE.XOR, which takes a predicate
//           register and writes it, so that a link is one comparison and the way through the
//           predicate file; into the line and out of it lead one ISETP and one SEL, in both windows.
// Holds when the final value is the one that the host computes for that many instructions. What turns back
//           after two steps (lop3, mufu, predicate) shows a lost one only if their number is odd; the
//           machine code shows the rest.
// Flaws:    one pipe with itself; a consumer in another pipe, as a branch is of a predicate, may wait
//           longer. Of all but mufu and shuffle the wait stands in the machine code, as many cycles as
//           the compiler knows the pipe to need. A few cycles of the branch back to the line's start
//           stay in the figure, over 2048; in the predicate's also SEL and ISETP, four times.
//
// 512 in the line between the clock reads, none more, and before the stop clock a test of what the last gave.
// SASS-LABEL: Function : {{.*}}chainI{{.*}}4DfmaE
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: DFMA {{R[0-9]+, R[0-9]+}},
// SASS: DFMA [[LAST:R[0-9]+]], R
// SASS-NOT: {{DFMA|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{DFMA}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chainI{{.*}}4FaddE
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: FADD {{R[0-9]+, R[0-9]+}},
// SASS: FADD [[LAST:R[0-9]+]], R
// SASS-NOT: {{FADD|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{FADD}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chainI{{.*}}4FfmaE
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: FFMA {{R[0-9]+, R[0-9]+}},
// SASS: FFMA [[LAST:R[0-9]+]], R
// SASS-NOT: {{FFMA|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{FFMA}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chainI{{.*}}4ImadE
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: IMAD R{{[0-9]+, R[0-9a-z.]+, R[0-9a-z.]+}},
// SASS: IMAD [[LAST:R[0-9]+]], R
// SASS-NOT: {{IMAD |SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{IMAD }}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chainI{{.*}}4Lop3E
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: LOP3.LUT R{{[0-9]+, R[0-9]+, .*}}, R{{[0-9]+}}, 0x
// SASS: LOP3.LUT [[LAST:R[0-9]+]], R{{[0-9]+, .*, R[0-9]+}}, 0x
// SASS-NOT: {{LOP3|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LOP3}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chainI{{.*}}4MufuE
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: MUFU.RCP {{R[0-9]+}}, -R
// SASS: MUFU.RCP [[LAST:R[0-9]+]], -R
// SASS-NOT: {{MUFU|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{MUFU}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chainI{{.*}}5Hfma2E
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: HFMA2 R{{[0-9]+, R[0-9]+}},
// SASS: HFMA2 [[LAST:R[0-9]+]], R
// SASS-NOT: {{HFMA2|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{HFMA2}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chainI{{.*}}5Iadd3E
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: IADD3 R{{[0-9]+, .*R[0-9].*, R[0-9]}}
// SASS: IADD3 [[LAST:R[0-9]+]],
// SASS-NOT: {{IADD3|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{IADD3}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chainI{{.*}}7ShuffleE
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: SHFL.IDX
// SASS: SHFL.IDX PT, [[LAST:R[0-9]+]],
// SASS-NOT: {{SHFL|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{SHFL}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chainI{{.*}}9PredicateE
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: ISETP.NE.U32.AND [[P:P[0-9]]], PT, R
// SASS-COUNT-512: ISETP.NE.U32.XOR [[P]], PT, {{.*}}, [[P]]
// SASS-NOT: {{XOR|SR_CLOCKLO}}
// SASS: SEL [[LAST:R[0-9]+]], {{.*}}, [[P]]
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: XOR
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/ptx/arithmetic.cuh"
#include "cuda/windows.cuh"

namespace {

using cuda::WindowPlan;
using cuda::WindowRecord;

// A straight line of 512, once or five times: both windows run the same code, whose edges cancel.
constexpr int kLine = 512;
constexpr int kShortLines = 1, kLongLines = 5;

__host__ __device__ constexpr WindowPlan window_plan() {
  return {.pairs = 32,
          .short_operations = kShortLines * kLine,
          .long_operations = kLongLines * kLine,
          .warm_operations = kLine};
}

// What stands in the line (`step`), what the host says one step does (`after`), and operands.
template <typename T>
struct Operation {
  using State = T;
  static constexpr int kInstructions = 1;  // of one step
};

struct Ffma : Operation<float> {
  static constexpr float kX = 3, kA = 1, kB = 1;  // counts the steps, exactly up to 2^24
  static __device__ void step(float& x, float a, float b) { cuda::ptx::multiply_add(x, a, b); }
  static float after(float x) { return x * kA + kB; }
};
struct Fadd : Operation<float> {
  static constexpr float kX = 3, kA = 1, kB = 0;
  static __device__ void step(float& x, float a, float) { cuda::ptx::add(x, a); }
  static float after(float x) { return x + kA; }
};
struct Dfma : Operation<double> {
  static constexpr double kX = 3, kA = 1, kB = 1;
  static __device__ void step(double& x, double a, double b) { cuda::ptx::multiply_add(x, a, b); }
  static double after(double x) { return x * kA + kB; }
};
struct Imad : Operation<std::uint32_t> {
  static constexpr std::uint32_t kX = 3, kA = 1664525, kB = 1013904223;
  static __device__ void step(State& x, State a, State b) { cuda::ptx::multiply_add(x, a, b); }
  static State after(State x) { return x * kA + kB; }
};
struct Iadd3 : Operation<std::uint32_t> {
  static constexpr std::uint32_t kX = 3, kA = 1664525, kB = 1013904223;
  static __device__ void step(State& x, State a, State b) { cuda::ptx::add_three(x, a, b); }
  static State after(State x) { return x + kA + kB; }
};
struct Lop3 : Operation<std::uint32_t> {
  static constexpr std::uint32_t kX = 3, kA = 0xffff00ff, kB = 0x5a5a5a5a;
  static __device__ void step(State& x, State a, State b) { cuda::ptx::and_xor(x, a, b); }
  static State after(State x) { return (x & kA) ^ kB; }
};
struct Mufu : Operation<float> {
  static constexpr float kX = 4, kA = 0, kB = 0;
  static __device__ void step(float& x, float, float) { cuda::ptx::negative_reciprocal(x); }
  static float after(float x) { return -1 / x; }
};
// x * x + b for b near -2 never settles: both halves wander by the rounding of every single step.
struct Hfma2 : Operation<std::uint32_t> {
  static constexpr std::uint32_t kX = 0x38003a66, kA = 0, kB = 0xbfae;  // 0.5 and 0.8; -1.92
  static __device__ void step(State& x, State, State b) {
    cuda::ptx::square_add_halves(x, static_cast<std::uint16_t>(b));
  }
  // cuda_fp16.h would do, but wants of older toolkits what their packages lack.
  static double value(std::uint32_t half) {
    const int exponent = half >> 10 & 31;
    const double units = (exponent > 0 ? 1024 : 0) + (half & 1023);
    return std::ldexp(half & 0x8000 ? -units : units, std::max(exponent, 1) - 25);
  }
  static std::uint32_t nearest_half(double x) {
    const int exponent = std::max(std::ilogb(x), -14);
    const auto units = static_cast<std::uint32_t>(
        std::nearbyint(std::ldexp(std::abs(x), 10 - exponent)));  // to even
    return (std::signbit(x) ? 0x8000 : 0) | ((exponent + 14) * 1024 + units);
  }
  static std::uint32_t after_of_half(std::uint32_t half) {
    // Exact in 53 bits, and then rounded once, as by a fused multiply-add.
    return nearest_half(value(half) * value(half) + value(kB));
  }
  static State after(State x) { return after_of_half(x & 0xffff) | after_of_half(x >> 16) << 16; }
};
// Each lane takes from the next: after k steps lane 0 holds the number of lane k mod 32.
struct Shuffle : Operation<std::uint32_t> {
  static constexpr std::uint32_t kX = 0, kA = 1, kB = 0;
  static __device__ void step(State& x, State a, State) {
    cuda::ptx::shuffle(x, (threadIdx.x + a) % 32);
  }
  static State after(State x) { return (x + kA) % 32; }
};
// A step is a whole line: 512 flips leave the predicate as it was, and its opposite leaves the line.
struct Predicate : Operation<std::uint32_t> {
  static constexpr int kInstructions = kLine;
  static constexpr std::uint32_t kX = 0, kA = 1, kB = 2;
  static __device__ void step(State& x, State a, State b) {
    cuda::ptx::flip_predicate_512_times(x, a, b);
  }
  static State after(State x) { return x == 0 ? 1 : 0; }
};

template <typename Op>
__device__ __forceinline__ void run_lines(typename Op::State& x, typename Op::State a,
                                          typename Op::State b, int count) {
#pragma unroll 1
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int k = 0; k < kLine / Op::kInstructions; ++k) Op::step(x, a, b);
}

// Operands come as arguments, so that nothing can be folded; an added 0 that no compiler can know keeps an
// integer in a register and not among the constants.
template <typename Op>
__global__ void chain(typename Op::State x, typename Op::State a, typename Op::State b,
                      WindowRecord* record, typename Op::State* final_value) {
  using State = typename Op::State;
  if constexpr (std::is_same_v<Op, Shuffle>) x = threadIdx.x;
  if constexpr (std::is_integral_v<State>) a += threadIdx.x / 32;
  run_lines<Op>(x, a, b, 1);
  cuda::time_windows(window_plan(), record, [&](bool is_long) {
    const int count = is_long ? kLongLines : kShortLines;
    return cuda::time_window(x, [&](State& at) { run_lines<Op>(at, a, b, count); });
  });
  if (threadIdx.x == 0) *final_value = x;
}

template <typename Op>
core::Samples measure_operation(const cuda::Context& context) {
  using State = typename Op::State;
  auto record = cuda::poisoned<WindowRecord>(1, context.stream);
  auto final_value = cuda::poisoned<State>(1, context.stream);
  chain<Op>
      <<<1, 32, 0, context.stream>>>(Op::kX, Op::kA, Op::kB, record.data(), final_value.data());
  MICRO_CUDA_CHECK_LAUNCH("register chain");
  WindowRecord result;
  State reached;
  cuda::download<WindowRecord>(record.data(), {&result, 1}, context.stream);
  cuda::download<State>(final_value.data(), {&reached, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  core::Samples samples = cuda::latency_samples(window_plan(), result);
  State expected = Op::kX;
  const std::uint64_t operations = cuda::operations_done(window_plan(), result);
  for (std::uint64_t i = 0; i < operations / Op::kInstructions; ++i) expected = Op::after(expected);
  samples.checks.push_back(
      core::check("final value", reached == expected, "as computed on the host"));
  return samples;
}

using Named = std::pair<std::string_view, core::Samples (*)(const cuda::Context&)>;
constexpr std::array kOperations{
    Named{"ffma", measure_operation<Ffma>},           Named{"fadd", measure_operation<Fadd>},
    Named{"imad", measure_operation<Imad>},           Named{"iadd3", measure_operation<Iadd3>},
    Named{"lop3", measure_operation<Lop3>},           Named{"hfma2", measure_operation<Hfma2>},
    Named{"dfma", measure_operation<Dfma>},           Named{"mufu", measure_operation<Mufu>},
    Named{"predicate", measure_operation<Predicate>}, Named{"shuffle", measure_operation<Shuffle>}};

std::vector<std::string> operation_words() {
  std::vector<std::string> words;
  for (const auto& [word, measure_it] : kOperations) words.emplace_back(word);
  return words;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  for (const auto& [word, measure_it] : kOperations)
    if (word == point.word("operation")) return measure_it(context);
  throw core::MeasureError("this probe has no operation " + point.word("operation"));
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
               .words = operation_words(),
               .automatic = operation_words()}},
     // Most of it for halves, half a million steps of which the host computes.
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 10e-3}; }},
    measure};

}  // namespace
