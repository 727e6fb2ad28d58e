// Question: what does an access to shared memory cost whose lanes meet in the same banks?
// Method:   32 lanes load at given offsets, the same in every access. stride: lane l at element
//           l x amount. ways: amount lanes of a phase (a warp for 4 bytes a lane, a half for 8, a
//           quarter for 16) in different rows of one bank. saturated: 32 warps an SM, independent
//           loads; cycles of the SM a request. latency: one warp, each lane's element holds its own
//           address; straight lines, difference of five and one of 256 loads.
//           Predicted beside it from the offsets alone: wavefronts, a cycle each when saturated, but
//           no fewer cycles than the registers take to be written (8 bytes a lane and cycle).
// Holds when the sums (final addresses) are those that the host computes from the offsets.
// Flaws:    every warp uses the same offsets; loads only. A broadcast of 8 bytes reads 1.08 cycles
//           instead of 1: two additions a load keep the integer units as busy.
// Seen on an H200: saturated within 0.7 % of the prediction for every other stride and number of ways;
//           a waited-for load takes two cycles more a wavefront: 23 at one, 85 at 32.
//
// Saturated: eight loads of the full width in the loop, none merged, none removed. 1, 2, 4: words a lane.
// SASS-LABEL: Function : {{.*}}saturateILi1E
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-8: LDS{{ }}
// SASS-NOT: LDS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}saturateILi2E
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-8: LDS.64
// SASS-NOT: LDS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}saturateILi4E
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-8: LDS.128
// SASS-NOT: LDS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// Latency: 256 in the line between the clock reads, and before the stop clock a test of the last one.
// SASS-LABEL: Function : {{.*}}chaseILi1E
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-255: LDS {{R[0-9]+}}, [R{{[0-9]+}}]
// SASS: LDS [[LAST:R[0-9]+]], [
// SASS-NOT: {{LDS|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LDS}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chaseILi2E
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-255: LDS.64 {{R[0-9]+}}, [R{{[0-9]+}}]
// SASS: LDS.64 [[LAST:R[0-9]+]], [
// SASS-NOT: {{LDS|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LDS}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chaseILi4E
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-255: LDS.128 {{R[0-9]+}}, [R{{[0-9]+}}]
// SASS: LDS.128 [[LAST:R[0-9]+]], [
// SASS-NOT: {{LDS|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LDS}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <algorithm>
#include <vector>

#include "core/answers.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/block_span.cuh"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/ptx/memory.cuh"
#include "cuda/shared_wavefronts.hpp"
#include "cuda/windows.cuh"

namespace {

using cuda::BlockSpan;
using cuda::LaneOffsets;
using cuda::WindowPlan;
using cuda::WindowRecord;

constexpr std::uint32_t kThreads = 1024;
constexpr std::uint32_t kWarps = kThreads / 32;
constexpr std::uint32_t kUnroll = 8;
constexpr std::int64_t kMostAmount = 64;
constexpr std::uint32_t kWords = 31 * kMostAmount * 4 + 4;  // up to the last lane's, at 16 bytes
constexpr std::uint32_t kLine = 256;
constexpr std::uint32_t kLongLines = 5;

__host__ __device__ constexpr WindowPlan window_plan() {
  return {.pairs = 32,
          .short_operations = kLine,
          .long_operations = kLongLines * kLine,
          .warm_operations = kLine};
}

__host__ __device__ constexpr std::uint32_t word_at(std::uint32_t index) {
  return index * 2654435761U;
}

// `zero` is 0, `sums` has one entry a thread.
template <int kLaneWords>
__global__ void __launch_bounds__(kThreads)
    saturate(LaneOffsets offsets, std::uint32_t rounds, std::uint32_t zero, BlockSpan* spans,
             std::uint32_t* sums) {
  __shared__ __align__(16) std::uint32_t array[kWords];
  __shared__ std::uint32_t offset_of[cuda::kLanes];
  for (std::uint32_t i = threadIdx.x; i < kWords; i += kThreads) array[i] = word_at(i);
  if (threadIdx.x == 0)
    for (int lane = 0; lane < cuda::kLanes; ++lane) offset_of[lane] = offsets.of_lane[lane];
  __syncthreads();
  std::uint32_t address[kUnroll];
#pragma unroll
  for (std::uint32_t u = 0; u < kUnroll; ++u)
    address[u] = cuda::ptx::shared_address(array) + offset_of[threadIdx.x % 32];
  std::uint32_t sum = 0;
  const cuda::ClockReading start = cuda::start_together();
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; ++round) {
#pragma unroll
    for (std::uint32_t u = 0; u < kUnroll; ++u) {
      sum += cuda::ptx::load_shared_sum<kLaneWords>(address[u]);
      address[u] += (u + 1) * zero;
    }
  }
  cuda::stop_together(start, spans);
  sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

// One warp; `finals` has one entry a lane: the offset at which it ends. `rests`: the sums of the words
// beside the addresses.
template <int kLaneWords>
__global__ void chase(LaneOffsets offsets, WindowRecord* record, std::uint32_t* finals,
                      std::uint32_t* rests) {
  __shared__ __align__(16) std::uint32_t array[kWords];
  __shared__ std::uint32_t offset_of[cuda::kLanes];
  const std::uint32_t base = cuda::ptx::shared_address(array);
  if (threadIdx.x == 0)
    for (int lane = 0; lane < cuda::kLanes; ++lane) offset_of[lane] = offsets.of_lane[lane];
  for (std::uint32_t i = threadIdx.x; i < kWords; i += cuda::kLanes) array[i] = base + 4 * i;
  __syncwarp();
  std::uint32_t at = base + offset_of[threadIdx.x];
  std::uint32_t rest = 0;
  const auto walk = [&rest](std::uint32_t& x, std::uint32_t lines) {
#pragma unroll 1
    for (std::uint32_t line = 0; line < lines; ++line)
#pragma unroll
      for (std::uint32_t i = 0; i < kLine; ++i)
        x = cuda::ptx::load_shared_first<kLaneWords>(x, rest);
  };
  walk(at, 1);
  cuda::time_windows(window_plan(), record, [&](bool is_long) {
    return cuda::time_window(at, [&](std::uint32_t& x) { walk(x, is_long ? kLongLines : 1); });
  });
  finals[threadIdx.x] = at - base;
  rests[threadIdx.x] = rest;
}

LaneOffsets offsets_of(const core::Point& point) {
  const std::int64_t amount = point.number("amount");
  const std::int64_t width = point.number("width");
  return point.word("pattern") == "stride" ? cuda::strided(amount, width)
                                           : cuda::conflicting(amount, width);
}

core::Samples saturated(cuda::Context& context, const LaneOffsets& offsets, std::int64_t width,
                        int predicted) {
  const auto blocks = static_cast<unsigned>(context.device.sm_count);
  const double requests_a_round = kWarps * kUnroll;
  const auto rounds = static_cast<std::uint32_t>(
      std::max(4.0, context.run_cycles / 4 / (requests_a_round * predicted)));
  auto* kernel = width == 4 ? saturate<1> : width == 8 ? saturate<2> : saturate<4>;
  auto spans = cuda::poisoned<BlockSpan>(blocks, context.stream);
  auto sums = cuda::poisoned<std::uint32_t>(std::size_t{blocks} * kThreads, context.stream);
  for (int launch = 0; launch < 2; ++launch)  // the first warms
    kernel<<<blocks, kThreads, 0, context.stream>>>(offsets, rounds, 0, spans.data(), sums.data());
  MICRO_CUDA_CHECK_LAUNCH("saturate");
  std::vector<BlockSpan> results(blocks);
  std::vector<std::uint32_t> found(sums.size());
  cuda::download<BlockSpan>(spans.data(), results, context.stream);
  cuda::download<std::uint32_t>(sums.data(), found, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  bool right = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::uint32_t sum = 0;
    for (std::uint32_t w = 0; w < width / 4; ++w)
      sum += word_at(offsets.of_lane[i % cuda::kLanes] / 4 + w);
    right = right && found[i] == sum * kUnroll * rounds;
  }
  const cuda::GridSpan span = cuda::grid_span(results);
  const std::string cycles(core::unit::kCycles);
  std::vector<double> per_request;
  for (std::size_t sm = 0; sm < span.sm_cycles.size(); ++sm)
    per_request.push_back(span.sm_cycles[sm] / (requests_a_round * rounds * span.sm_blocks[sm]));
  const double cost = core::median(per_request);
  return {.metrics = {{"cost_of_a_request", cycles, cost},
                      {"predicted_cost", cycles, static_cast<double>(predicted)}},
          .columns = {{"sm_cost", cycles, per_request}},
          .time_ns = cost / span.clock.hertz() * 1e9,
          .clock = span.clock,
          .checks = {core::check("sums", right, "every thread's, from its lane's offset")}};
}

core::Samples latency(cuda::Context& context, const LaneOffsets& offsets, std::int64_t width,
                      int predicted) {
  auto* kernel = width == 4 ? chase<1> : width == 8 ? chase<2> : chase<4>;
  auto record = cuda::poisoned<WindowRecord>(1, context.stream);
  auto finals = cuda::poisoned<std::uint32_t>(cuda::kLanes, context.stream);
  auto rests = cuda::poisoned<std::uint32_t>(cuda::kLanes, context.stream);
  kernel<<<1, cuda::kLanes, 0, context.stream>>>(offsets, record.data(), finals.data(),
                                                 rests.data());
  MICRO_CUDA_CHECK_LAUNCH("shared chase");
  WindowRecord result;
  LaneOffsets reached;
  cuda::download<WindowRecord>(record.data(), {&result, 1}, context.stream);
  cuda::download<std::uint32_t>(finals.data(), reached.of_lane, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  core::Samples samples = cuda::latency_samples(window_plan(), result);
  samples.metrics.push_back(
      {"predicted_wavefronts", std::string(core::unit::kCount), static_cast<double>(predicted)});
  samples.checks.push_back(core::check("final index", reached == offsets, "of every lane"));
  return samples;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  const LaneOffsets offsets = offsets_of(point);
  const std::int64_t width = point.number("width");
  return point.word("method") == "latency"
             ? latency(context, offsets, width, cuda::wavefronts(offsets, width))
             : saturated(context, offsets, width, cuda::saturated_cycles(offsets, width));
}

std::string refuse(const core::Point& point) {
  const std::int64_t amount = point.number("amount");
  const int most = cuda::lanes_a_phase(point.number("width"));
  if (point.word("pattern") == "stride" || (amount >= 1 && amount <= most)) return {};
  return std::to_string(amount) + " ways of " + std::to_string(point.number("width")) +
         " bytes a lane; 1 to " + std::to_string(most) + ", as many as lanes are served together";
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kBankWays),
     .question = "what an access to shared memory costs whose lanes meet in the same banks",
     .method = "saturated: 32 warps an SM, cycles a request, median over SMs; latency: one warp, "
               "dependent loads, difference of two lengths; predicted: wavefronts of the offsets",
     .axes = {{.name = "method",
               .unit = "",
               .meaning = "saturated: cost of a request among many; latency: of one that is waited "
                          "for",
               .words = {"saturated", "latency"},
               .automatic = {"saturated", "latency"}},
              {.name = "width",
               .unit = "bytes",
               .meaning = "bytes a lane asks for at once",
               .allowed = {4, 8, 16},
               .automatic = {"4B", "8B", "16B"}},
              {.name = "pattern",
               .unit = "",
               .meaning = "stride: lane l at element l x amount; ways: amount lanes in one bank",
               .words = {"stride", "ways"},
               .automatic = {"ways"}},
              {.name = "amount",
               .unit = "count",
               .meaning = "elements of stride, or lanes that meet in a bank",
               .min = 0,
               .max = kMostAmount,
               .automatic = {"1", "2", "4", "8"}}},
     .refuse = refuse,
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 3e-3}; }},
    measure};

}  // namespace
