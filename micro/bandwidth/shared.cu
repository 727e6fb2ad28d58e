// Question: how many bytes an SM reads from or writes to its shared memory a clock, free of bank
//           conflicts, by width.
// Method:   one block of 32 warps an SM; each warp walks its own kilobyte row by row, lane l at
//           element l, so that a request takes one wavefront (4 bytes a lane), two (8) or four (16).
//           Bytes over the cycles from the first warp's start to the last one's end, the median over
//           the SMs. Each address advances by its own argument that is zero at run time: loads of
//           equal addresses cannot be merged.
// Holds when every thread's sum over what it read is what the host computes; when every element
//           written holds the last round's value.
// Flaws:    bytes are what the lanes asked for; one access pattern; one block an SM.
//
// Eight accesses of the full width in the loop, however alike their addresses: none merged, none removed.
// SASS-LABEL: Function : {{.*}}read_sharedILi1E
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-8: LDS{{ }}
// SASS-NOT: LDS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}read_sharedILi2E
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-8: LDS.64
// SASS-NOT: LDS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}read_sharedILi4E
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-8: LDS.128
// SASS-NOT: LDS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}write_sharedILi1E
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-8: STS{{ }}
// SASS-NOT: STS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}write_sharedILi2E
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-8: STS.64
// SASS-NOT: STS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}write_sharedILi4E
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-8: STS.128
// SASS-NOT: STS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <algorithm>
#include <vector>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/block_span.cuh"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/ptx/memory.cuh"

namespace {

using cuda::BlockSpan;

constexpr std::uint32_t kThreads = 1024;
constexpr std::uint32_t kWordsPerWarp = 256;
constexpr std::uint32_t kWords = kThreads / 32 * kWordsPerWarp;
constexpr std::uint32_t kUnroll = 8;

__host__ __device__ constexpr std::uint32_t word_at(std::uint32_t index) {
  return index * 2654435761U;
}

/// First word of the access that `thread` makes as number `u` of a round: its warp's kilobyte, row
/// u modulo the rows.
template <int kVectorWords>
__host__ __device__ constexpr std::uint32_t word_of(std::uint32_t thread, std::uint32_t u) {
  const std::uint32_t row_words = 32 * kVectorWords;
  const std::uint32_t row = u % (kWordsPerWarp / row_words);
  return thread / 32 * kWordsPerWarp + row * row_words + thread % 32 * kVectorWords;
}

template <int kVectorWords>
__global__ void __launch_bounds__(kThreads)
    read_shared(std::uint32_t rounds, std::uint32_t zero, BlockSpan* spans, std::uint32_t* sums) {
  __shared__ __align__(16) std::uint32_t array[kWords];
  for (std::uint32_t i = threadIdx.x; i < kWords; i += kThreads) array[i] = word_at(i);
  std::uint32_t address[kUnroll];
#pragma unroll
  for (std::uint32_t u = 0; u < kUnroll; ++u)
    address[u] = cuda::ptx::shared_address(array + word_of<kVectorWords>(threadIdx.x, u));
  std::uint32_t sum = 0;
  const cuda::ClockReading start = cuda::start_together();
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; ++round) {
#pragma unroll
    for (std::uint32_t u = 0; u < kUnroll; ++u) {
      sum += cuda::ptx::load_shared_sum<kVectorWords>(address[u]);
      address[u] += (u + 1) * zero;
    }
  }
  cuda::stop_together(start, spans);
  sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

// `wrong` counts the words that do not hold the last round's value afterwards.
template <int kVectorWords>
__global__ void __launch_bounds__(kThreads)
    write_shared(std::uint32_t rounds, std::uint32_t zero, BlockSpan* spans, std::uint32_t* wrong) {
  __shared__ __align__(16) std::uint32_t array[kWords];
  for (std::uint32_t i = threadIdx.x; i < kWords; i += kThreads) array[i] = 0xa5a5a5a5U;
  std::uint32_t address[kUnroll];
#pragma unroll
  for (std::uint32_t u = 0; u < kUnroll; ++u)
    address[u] = cuda::ptx::shared_address(array + word_of<kVectorWords>(threadIdx.x, u));
  const cuda::ClockReading start = cuda::start_together();
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; ++round) {
#pragma unroll
    for (std::uint32_t u = 0; u < kUnroll; ++u) {
      cuda::ptx::store_shared<kVectorWords>(address[u], round);
      address[u] += (u + 1) * zero;
    }
  }
  cuda::stop_together(start, spans);
  std::uint32_t mismatches = 0;
  for (std::uint32_t i = threadIdx.x; i < kWords; i += kThreads)
    mismatches += array[i] != rounds - 1;
  wrong[blockIdx.x * kThreads + threadIdx.x] = mismatches;
}

using Kernel = void(std::uint32_t, std::uint32_t, BlockSpan*, std::uint32_t*);

Kernel* kernel_for(bool reads, std::int64_t width) {
  switch (width) {
    case 4:
      return reads ? read_shared<1> : write_shared<1>;
    case 8:
      return reads ? read_shared<2> : write_shared<2>;
    default:
      return reads ? read_shared<4> : write_shared<4>;
  }
}

template <int kVectorWords>
std::uint32_t sum_of_round(std::uint32_t thread) {
  std::uint32_t sum = 0;
  for (std::uint32_t u = 0; u < kUnroll; ++u)
    for (std::uint32_t w = 0; w < kVectorWords; ++w)
      sum += word_at(word_of<kVectorWords>(thread, u) + w);
  return sum;
}

/// What `thread` must have left: its sum, or no mismatch.
std::uint32_t expected(bool reads, std::int64_t width, std::uint32_t rounds, std::uint32_t thread) {
  if (!reads) return 0;
  return rounds * (width == 4   ? sum_of_round<1>(thread)
                   : width == 8 ? sum_of_round<2>(thread)
                                : sum_of_round<4>(thread));
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  const bool reads = point.word("operation") == "read";
  const auto width = point.number("width");
  const auto blocks = static_cast<unsigned>(context.device.sm_count);
  // A round of the block is kThreads x kUnroll x width bytes at 128 bytes a clock.
  const double bytes_a_round = static_cast<double>(kThreads * kUnroll * width);
  const auto rounds = static_cast<std::uint32_t>(context.run_cycles * 128 / bytes_a_round);

  auto spans = cuda::poisoned<BlockSpan>(blocks, context.stream);
  auto left = cuda::poisoned<std::uint32_t>(std::size_t{blocks} * kThreads, context.stream);
  // Twice: the first warms (under a load that has just begun the SM clock is lower for a millisecond).
  for (int launch = 0; launch < 2; ++launch)
    kernel_for(reads, width)<<<blocks, kThreads, 0, context.stream>>>(rounds, 0, spans.data(),
                                                                      left.data());
  MICRO_CUDA_CHECK_LAUNCH("shared stream");
  std::vector<BlockSpan> results(blocks);
  std::vector<std::uint32_t> found(left.size());
  cuda::download<BlockSpan>(spans.data(), results, context.stream);
  cuda::download<std::uint32_t>(left.data(), found, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  bool right = true;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    const std::uint32_t left_behind = expected(reads, width, rounds, thread);
    for (std::size_t block = 0; block < blocks; ++block)
      right = right && found[block * kThreads + thread] == left_behind;
  }

  const cuda::GridSpan span = cuda::grid_span(results);
  const double bytes = bytes_a_round * rounds;
  std::vector<double> per_sm;
  for (std::size_t sm = 0; sm < span.sm_cycles.size(); ++sm)
    per_sm.push_back(bytes * span.sm_blocks[sm] / span.sm_cycles[sm]);
  const std::string per_clock(core::unit::kBytesPerCyclePerSm);
  return {.metrics = {{"bandwidth", per_clock, core::median(per_sm)},
                      {"bandwidth", std::string(core::unit::kBytesPerSecond),
                       bytes * blocks / span.ns * 1e9}},
          .columns = {{"sm_bandwidth", per_clock, per_sm}},
          .time_ns = span.ns,
          .clock = span.clock,
          .facts = {{reads ? "bytes_read" : "bytes_written", std::string(core::unit::kBytes),
                     bytes * blocks}},
          .checks = {core::check(reads ? "sums" : "poison overwritten", right,
                                 "every thread, every element")}};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kScratchpadBandwidth),
     .question = "how many bytes an SM reads from or writes to its shared memory a clock",
     .method = "32 warps an SM walk shared memory free of conflicts, by the SM's clock, median "
               "over SMs",
     .axes = {{.name = "operation",
               .unit = "",
               .meaning = "what is counted",
               .words = {"read", "write"},
               .automatic = {"read", "write"}},
              {.name = "width",
               .unit = "bytes",
               .meaning = "bytes a lane asks for at once",
               .allowed = {4, 8, 16},
               .automatic = {"4B", "8B", "16B"}}},
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 5e-3}; }},
    measure};

}  // namespace
