// Question: how many FFMA lanes an SM completes a clock: the rate at which the register file feeds
//           the FP32 pipes (three operands read and one written a lane), by warps and by independent
//           chains a warp.
// Method:   one block an SM; each thread runs `chains` independent chains of x = x * a + b. Lanes over
//           the cycles from the first warp's start to the last one's end, the median over the SMs.
// Holds when every thread's values are what the instruction count predicts.
// Flaws:    two of the three operands are the same in all instructions, so the operand cache may serve
//           them; bank layouts are another probe's question. FFMA only.
//
// 128 instructions in the loop between the clock reads, for 1, 2, 4 and 8 chains; no other arithmetic of
// that pipe.
// SASS-LABEL: Function : {{.*}}ffma_rateILi1E
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-128: FFMA
// SASS-NOT: FFMA
// SASS: BRA
// SASS-NOT: FFMA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ffma_rateILi2E
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-128: FFMA
// SASS-NOT: FFMA
// SASS: BRA
// SASS-NOT: FFMA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ffma_rateILi4E
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-128: FFMA
// SASS-NOT: FFMA
// SASS: BRA
// SASS-NOT: FFMA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}ffma_rateILi8E
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-128: FFMA
// SASS-NOT: FFMA
// SASS: BRA
// SASS-NOT: FFMA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <algorithm>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/block_span.cuh"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/ptx/arithmetic.cuh"

namespace {

using cuda::BlockSpan;

constexpr int kUnroll = 128;  // instructions in the loop body

template <int kChains>
__global__ void __launch_bounds__(1024)
    ffma_rate(float a, float b, std::uint32_t rounds, BlockSpan* spans, float* values) {
  float x[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) x[c] = static_cast<float>(c);
  const cuda::ClockReading start = cuda::start_together();
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) cuda::ptx::multiply_add(x[i % kChains], a, b);
  cuda::stop_together(start, spans);
  float sum = 0;
#pragma unroll
  for (int c = 0; c < kChains; ++c) sum += x[c];
  values[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

auto* kernel_for(std::int64_t chains) {
  switch (chains) {
    case 1:
      return ffma_rate<1>;
    case 2:
      return ffma_rate<2>;
    case 4:
      return ffma_rate<4>;
    default:
      return ffma_rate<8>;
  }
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  const auto chains = point.number("chains");
  const auto threads = static_cast<unsigned>(point.number("warps") * 32);
  const auto blocks = static_cast<unsigned>(context.device.sm_count);
  // Warps x kUnroll / 4 cycles a round; fewer warps or chains take up to 4 cycles an instruction.
  const double cycles_a_round =
      std::max(threads / 128.0, 4.0 / static_cast<double>(chains)) * kUnroll;
  const auto rounds = static_cast<std::uint32_t>(context.run_cycles / cycles_a_round);

  auto spans = cuda::poisoned<BlockSpan>(blocks, context.stream);
  auto values = cuda::poisoned<float>(std::size_t{blocks} * threads, context.stream);
  // Twice: the first warms (under a load that has just begun the SM clock is lower for a millisecond).
  for (int launch = 0; launch < 2; ++launch)
    kernel_for(chains)<<<blocks, threads, 0, context.stream>>>(1, 1, rounds, spans.data(),
                                                               values.data());
  MICRO_CUDA_CHECK_LAUNCH("ffma_rate");
  std::vector<BlockSpan> results(blocks);
  std::vector<float> sums(values.size());
  cuda::download<BlockSpan>(spans.data(), results, context.stream);
  cuda::download<float>(values.data(), sums, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  // With a = b = 1 each chain counts its instructions.
  const double per_thread = static_cast<double>(rounds) * kUnroll;
  const auto expected =
      static_cast<float>(per_thread + static_cast<double>(chains * (chains - 1) / 2));
  const bool counted = std::ranges::all_of(sums, [&](float sum) { return sum == expected; });

  const cuda::GridSpan span = cuda::grid_span(results);
  std::vector<double> rates;
  for (std::size_t sm = 0; sm < span.sm_cycles.size(); ++sm)
    rates.push_back(per_thread * threads * span.sm_blocks[sm] / span.sm_cycles[sm]);
  const std::string rate_unit(core::unit::kOperationsPerCyclePerSm);
  return {
      .metrics = {{"rate", rate_unit, core::median(rates)},
                  {"rate", std::string(core::unit::kOperationsPerSecond),
                   per_thread * threads * blocks / span.ns * 1e9}},
      .columns = {{"sm_rate", rate_unit, rates}},
      .time_ns = span.ns,
      .clock = span.clock,
      .facts = {{"instructions_per_thread", std::string(core::unit::kCount), per_thread}},
      .checks = {core::check("final values", counted, "every thread counted its instructions")}};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kOperandRate),
     .question = "how many FFMA lanes an SM completes a clock",
     .method = "independent chains of FFMA in every thread, one block an SM, median over SMs",
     .axes = {{.name = "operation",
               .unit = "",
               .meaning = "the instruction",
               .words = {"ffma"},
               .automatic = {"ffma"}},
              {.name = "chains",
               .unit = "count",
               .meaning = "independent chains a thread",
               .allowed = {1, 2, 4, 8},
               .automatic = {"4"}},
              {.name = "warps",
               .unit = "count",
               .meaning = "warps an SM",
               .allowed = {4, 8, 16, 32},
               .automatic = {"32"}}},
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 5e-3}; }},
    measure};

}  // namespace
