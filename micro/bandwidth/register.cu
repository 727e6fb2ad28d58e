// Question: how many FFMA lanes an SM completes a clock: the rate at which the register file feeds
//           the FP32 pipes (three operands read and one written a lane), by warps, by independent
//           chains a warp and by where the operands lie.
// Method:   one block an SM; each thread runs `chains` independent chains of x = x * a + b. Lanes over
//           the cycles from the first warp's start to the last one's end, the median over the SMs.
//           layout free: a and b alike in all instructions, registers as the compiler deals them, so that both come out of the operand
//           cache and one operand a lane is read from the file. The others hold 192 chains in quads of registers (what a load of 16
//           bytes fills starts at a multiple of four, so the parity of each register, its bank, is known), each stepped
//           once a round; the compiler, which otherwise moves chains out of the way, has no register left to move them to.
//           distinct: a and b in the other bank than x, other ones in each instruction: nothing is kept, 3 operands are read, of an
//           instruction and its neighbour three from either bank. same_bank: all three in one bank, nothing kept. reuse: the same
//           registers, but a and b are those of the instruction before: 1 operand is read.
// Holds when every thread's values are what the instruction count predicts.
// Flaws:    FFMA only. The loop's counter, test and branch take three issue slots: 256 of 259 instructions count (98.8 %), or 192
//           of 195 (98.5 %).
//
// On an H200 every rate follows from the machine code below when a bank gives one operand a clock and what is kept lasts only from
// an instruction to the next of the same warp. free, 4 or 8 chains: 98.8 %, the loop's share. free, 2 chains: the compiler keeps a and b
// for every other instruction (a warp cannot issue more than two without waiting), which takes 1 clock; the others read all three, of
// which two lie in one bank: 2 clocks; two thirds. free, 1 chain: nothing is kept, 2 clocks: half. distinct: 3 clocks for two
// instructions, two thirds. same_bank: 3 clocks each, one third. reuse: 97.9 %.
//
// 256 instructions in the loop between the clock reads, for 1, 2, 4 and 8 chains; no other arithmetic of
// that pipe; a and b kept in all but the last for 4 and 8 chains, in none for 1; what is read after the last barrier is stored as the end.
// SASS-LABEL: Function : {{.*}}ffma_rateILi1E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS-COUNT-256: {{FFMA R[0-9]+, R[0-9]+, R[0-9]+, R[0-9]+$}}
// SASS-NOT: FFMA
// SASS: BRA
// SASS-NOT: FFMA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}ffma_rateILi2E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS-COUNT-256: FFMA
// SASS-NOT: FFMA
// SASS: BRA
// SASS-NOT: FFMA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}ffma_rateILi4E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS-COUNT-255: {{FFMA R[0-9]+, R[0-9]+, R[0-9]+.reuse, R[0-9]+.reuse$}}
// SASS-COUNT-1: FFMA
// SASS-NOT: FFMA
// SASS: BRA
// SASS-NOT: FFMA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}ffma_rateILi8E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS-COUNT-255: {{FFMA R[0-9]+, R[0-9]+, R[0-9]+.reuse, R[0-9]+.reuse$}}
// SASS-COUNT-1: FFMA
// SASS-NOT: FFMA
// SASS: BRA
// SASS-NOT: FFMA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// By bank, the parity of a register's number: distinct (E1) has x in one and a and b in the other; same_bank (E2) all in the even
// one and then all in the odd one, nothing kept; reuse (E3) the same with b kept always and a but for a few.
// SASS-LABEL: Function : {{.*}}ffma_layout{{.*}}LayoutE1
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS-COUNT-192: {{FFMA R[0-9]*[02468], R[0-9]*[13579], R[0-9]*[02468], R[0-9]*[13579]$|FFMA R[0-9]*[13579], R[0-9]*[02468], R[0-9]*[13579], R[0-9]*[02468]$}}
// SASS-NOT: FFMA
// SASS: BRA
// SASS-NOT: FFMA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}ffma_layout{{.*}}LayoutE2
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS-COUNT-96: {{FFMA R[0-9]*[02468], R[0-9]*[02468], R[0-9]*[02468], R[0-9]*[02468]$}}
// SASS-COUNT-96: {{FFMA R[0-9]*[13579], R[0-9]*[13579], R[0-9]*[13579], R[0-9]*[13579]$}}
// SASS-NOT: FFMA
// SASS: BRA
// SASS-NOT: FFMA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}ffma_layout{{.*}}LayoutE3
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS-COUNT-95: {{FFMA R[0-9]*[02468], R[0-9]*[02468](.reuse)?, R[0-9]*[02468], R[0-9]*[02468].reuse$}}
// SASS-COUNT-95: {{FFMA R[0-9]*[13579], R[0-9]*[13579](.reuse)?, R[0-9]*[13579], R[0-9]*[13579].reuse$}}
// SASS-COUNT-1: {{FFMA R[0-9]*[13579], R[0-9]*[13579], R[0-9]*[13579], R[0-9]*[13579]$}}
// SASS-NOT: FFMA
// SASS: BRA
// SASS-NOT: FFMA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}

#include <algorithm>
#include <numeric>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/block_span.cuh"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/ptx/arithmetic.cuh"
#include "cuda/ptx/memory.cuh"

namespace {

using cuda::BlockSpan;

constexpr int kUnroll = 256;  // instructions in the loop body where the layout is free

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

enum class Layout { free, distinct, same_bank, reuse };

constexpr int kQuads =
    48;  // of chains: with the coefficients 200 registers, of 255 that a thread may have
constexpr int kQuadChains = 4 * kQuads;
constexpr unsigned kMostQuadThreads = 256;  // whose registers an SM holds

// x, y, z, w of a quad are its four registers; x and z lie in one bank, y and w in the other. `start` holds two quads of
// coefficients (1 everywhere) and those of the chains.
template <Layout layout>
__global__ void __launch_bounds__(kMostQuadThreads)
    ffma_layout(const float4* begin, std::uint32_t rounds, BlockSpan* spans, float* values) {
  using cuda::ptx::multiply_add;
  const float4 c0 = cuda::ptx::load_quad(begin);
  const float4 c1 = cuda::ptx::load_quad(begin + 1);
  float4 q[kQuads];
#pragma unroll
  for (int i = 0; i < kQuads; ++i) q[i] = cuda::ptx::load_quad(begin + 2 + i);
  const cuda::ClockReading start = cuda::start_together();
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if constexpr (layout == Layout::distinct) {
#pragma unroll
      for (int i = 0; i < kQuads; ++i) {
        multiply_add(q[i].x, c0.y, c0.w);
        multiply_add(q[i].y, c0.x, c0.z);
        multiply_add(q[i].z, c1.y, c1.w);
        multiply_add(q[i].w, c1.x, c1.z);
      }
    } else {
#pragma unroll
      for (int i = 0; i < kQuads; ++i) {
        multiply_add(q[i].x, c0.x, c0.z);
        if constexpr (layout == Layout::reuse)
          multiply_add(q[i].z, c0.x, c0.z);
        else
          multiply_add(q[i].z, c1.x, c1.z);
      }
#pragma unroll
      for (int i = 0; i < kQuads; ++i) {
        multiply_add(q[i].y, c0.y, c0.w);
        if constexpr (layout == Layout::reuse)
          multiply_add(q[i].w, c0.y, c0.w);
        else
          multiply_add(q[i].w, c1.y, c1.w);
      }
    }
  }
  cuda::stop_together(start, spans);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kQuads; ++i) sum += q[i].x + q[i].y + q[i].z + q[i].w;
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

auto* layout_kernel_for(const std::string& layout) {
  if (layout == "distinct") return ffma_layout<Layout::distinct>;
  if (layout == "same_bank") return ffma_layout<Layout::same_bank>;
  return ffma_layout<Layout::reuse>;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  const auto chains = point.number("chains");
  const std::string& layout = point.word("layout");
  const bool is_free = layout == "free";
  const auto threads = static_cast<unsigned>(point.number("warps") * 32);
  const auto blocks = static_cast<unsigned>(context.device.sm_count);
  const double instructions_a_round = is_free ? kUnroll : kQuadChains;
  // A warp's instruction takes a quarter of the SM a clock; fewer warps or chains take up to 4 cycles an
  // instruction, a layout that reads all operands 1.5 or 3 times as long.
  const double cycles_a_round = std::max(threads / 128.0 * (is_free || layout == "reuse" ? 1 : 2),
                                         4.0 / static_cast<double>(chains)) *
                                instructions_a_round;
  const auto rounds =
      static_cast<std::uint32_t>(std::max(1.0, context.run_cycles / cycles_a_round));

  auto spans = cuda::poisoned<BlockSpan>(blocks, context.stream);
  auto values = cuda::poisoned<float>(std::size_t{blocks} * threads, context.stream);
  // Coefficients of 1, then 0, 1, 2, ...: what the chains begin with, as kernels of the free layout set it.
  std::vector<float> begin(8 + kQuadChains, 1.0F);
  std::iota(begin.begin() + 8, begin.end(), 0.0F);
  cuda::DeviceBuffer<float> device_begin(begin.size());
  cuda::upload<float>(begin, device_begin.data(), context.stream);
  // Twice: the first warms (under a load that has just begun the SM clock is lower for a millisecond).
  for (int launch = 0; launch < 2; ++launch) {
    if (is_free)
      kernel_for(chains)<<<blocks, threads, 0, context.stream>>>(1, 1, rounds, spans.data(),
                                                                 values.data());
    else
      layout_kernel_for(layout)<<<blocks, threads, 0, context.stream>>>(
          reinterpret_cast<const float4*>(device_begin.data()), rounds, spans.data(),
          values.data());
  }
  MICRO_CUDA_CHECK_LAUNCH("ffma");
  std::vector<BlockSpan> results(blocks);
  std::vector<float> sums(values.size());
  cuda::download<BlockSpan>(spans.data(), results, context.stream);
  cuda::download<float>(values.data(), sums, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  // With a = b = 1 each chain counts its instructions.
  const double per_thread = rounds * instructions_a_round;
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

// A layout other than free is one kernel, that takes most of the registers.
std::string refuse(const core::Point& point) {
  const bool is_free = point.word("layout") == "free";
  if (is_free && point.number("chains") == kQuadChains)
    return "layout free goes with 1, 2, 4 or 8 chains; 192 are those of the other layouts";
  if (!is_free && point.number("chains") != kQuadChains)
    return "layouts other than free go with 192 chains, of which each is stepped once a round";
  if (!is_free && point.number("warps") * 32 > kMostQuadThreads)
    return "layouts other than free go with 4 or 8 warps: an SM has no registers for more";
  return {};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kOperandRate),
     .question = "how many FFMA lanes an SM completes a clock, by where their operands lie",
     .method = "independent chains of FFMA in every thread, one block an SM, median over SMs",
     .axes = {{.name = "operation",
               .unit = "",
               .meaning = "the instruction",
               .words = {"ffma"},
               .automatic = {"ffma"}},
              {.name = "layout",
               .unit = "",
               .meaning =
                   "operands: as the compiler deals them, in both banks, in one bank, in one "
                   "bank with two of them kept from the instruction before",
               .words = {"free", "distinct", "same_bank", "reuse"},
               .automatic = {"free"}},
              {.name = "chains",
               .unit = "count",
               .meaning = "independent chains a thread; 192 with layouts other than free",
               .allowed = {1, 2, 4, 8, kQuadChains},
               .automatic = {"4"}},
              {.name = "warps",
               .unit = "count",
               .meaning = "warps an SM; 4 or 8 with layouts other than free",
               .allowed = {4, 8, 16, 32},
               .automatic = {"32"}}},
     .refuse = refuse,
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 5e-3}; }},
    measure};

}  // namespace
