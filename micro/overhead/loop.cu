// Question: how many cycles one turn of a counted loop costs that has nothing else in it: what a loop
//           adds to whatever is measured inside it.
// Method:   one thread counts to 64 and to 192 in a loop that is not unrolled, each between two reads
//           of the clock; the difference, over 128.
// Holds when the loop has only its counter, the test and the branch (checked in the machine code).
// Flaws:    the counter is all that a turn waits for; work inside the loop hides part of this cost, so
//           that it is an upper bound of what the loop adds.
//
// Between the window's clock reads: a loop of one addition, one comparison and one branch back, and the
// test of the counter.
// SASS-LABEL: Function : {{.*}}count_turns
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-NOT: CS2R
// SASS: [[LOOP:\.L_x_[0-9]+]]:
// SASS-NEXT: {{VIADD|IADD3}} [[COUNTER:R[0-9]+]], {{R[0-9]+}}, 0x1
// SASS-NEXT: ISETP{{.*}} [[COUNTER]],
// SASS-NEXT: BRA {{.*}}([[LOOP]])
// SASS-NEXT: ISETP.NE{{.*}} [[COUNTER]],
// SASS-NEXT: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/windows.cuh"

namespace {

using cuda::WindowPlan;
using cuda::WindowRecord;

constexpr WindowPlan kPlan{.short_operations = 64, .long_operations = 192};

// `turns`: of all windows together.
__global__ void count_turns(WindowPlan plan, WindowRecord* record, std::uint64_t* turns) {
  std::uint64_t all = 0;
  cuda::time_windows(plan, record, [&](bool is_long) {
    const auto wanted =
        static_cast<std::uint32_t>(is_long ? plan.long_operations : plan.short_operations);
    std::uint32_t counter = 0;
    const std::uint64_t cycles = cuda::time_window(counter, [&](std::uint32_t& turn) {
#pragma unroll 1
      do {
        ++turn;
        asm volatile("" : "+r"(turn));
      } while (turn < wanted);
    });
    all += counter;
    return cycles;
  });
  *turns = all;
}

core::Samples measure(cuda::Context& context, const core::Point&, const core::Trial&) {
  auto record = cuda::poisoned<WindowRecord>(1, context.stream);
  auto turns = cuda::poisoned<std::uint64_t>(1, context.stream);
  count_turns<<<1, 1, 0, context.stream>>>(kPlan, record.data(), turns.data());
  MICRO_CUDA_CHECK_LAUNCH("count_turns");
  WindowRecord result;
  std::uint64_t counted = 0;
  cuda::download<WindowRecord>(record.data(), {&result, 1}, context.stream);
  cuda::download<std::uint64_t>(turns.data(), {&counted, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  core::Samples samples = cuda::latency_samples(kPlan, result);
  for (core::Quantity& metric : samples.metrics) metric.name = "turn";
  const std::uint64_t expected = cuda::operations_done(kPlan, result);
  samples.checks.push_back(
      core::check("turns counted", counted == expected,
                  std::to_string(counted) + " of " + std::to_string(expected)));
  return samples;
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kLoopCost),
     .question = "how many cycles one turn of an empty counted loop costs",
     .method = "loops of 64 and 192 turns by one thread, the difference over 128",
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 3e-3}; }},
    measure};

}  // namespace
