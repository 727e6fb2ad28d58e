// Question: how many bytes an SM reads from, writes to, or reads and writes in its shared memory a clock, free of bank
//           conflicts, by width.
// Method:   one block of 32 warps an SM; each warp walks its own kilobyte row by row, lane l at
//           element l, so that a request takes one wavefront (4 bytes a lane), two (8) or four (16).
//           both: each row is loaded and then stored; bytes of both count.
//           Bytes over the cycles from before the first access to after the last, the median over
//           the SMs. One address register and fixed distances, so that the accesses and not the issue slots are the limit (an address
//           register for each access costs half a per cent at 4 bytes); it advances by an argument that is zero at run time: loads
//           of equal addresses cannot be merged.
// Holds when every thread's sum over what it read is what the host computes (of both: what it had stored a round before); when every
//           element written holds the last round's value.
// Flaws:    bytes are what the lanes asked for; one access pattern; one block an SM. Warps are not served evenly: the last ones end up
//           to 5 % later than the first and have the memory to themselves, which costs 0.1 to 0.2 %.
//
// A kilobyte of accesses of the full width in the loop, however alike their addresses: none merged, none removed. No warp begins
// before the clock is read (a barrier follows it), and what is read after the last barrier is stored as the end.
// SASS-LABEL: Function : {{.*}}read_sharedILi1E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-COUNT-8: LDS{{ }}
// SASS-NOT: LDS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}read_sharedILi2E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-COUNT-4: LDS.64
// SASS-NOT: LDS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}read_sharedILi4E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-COUNT-2: LDS.128
// SASS-NOT: LDS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}write_sharedILi1E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-COUNT-8: STS{{ }}
// SASS-NOT: STS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}write_sharedILi2E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-COUNT-4: STS.64
// SASS-NOT: STS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}write_sharedILi4E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-COUNT-2: STS.128
// SASS-NOT: STS
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}read_and_write_sharedILi1E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-COUNT-4: LDS{{ }}
// SASS-NOT: LDS
// SASS-COUNT-4: STS{{ }}
// SASS-COUNT-4: LDS{{ }}
// SASS-NOT: LDS
// SASS-COUNT-4: STS{{ }}
// SASS-NOT: {{LDS|STS}}
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}read_and_write_sharedILi2E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-COUNT-4: LDS.64
// SASS-NOT: LDS
// SASS-COUNT-4: STS.64
// SASS-NOT: {{LDS|STS}}
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS-LABEL: Function : {{.*}}read_and_write_sharedILi4E
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-COUNT-2: LDS.128
// SASS-NOT: LDS
// SASS-COUNT-2: STS.128
// SASS-NOT: {{LDS|STS}}
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}

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
#include "cuda/sm_streams.cuh"

namespace {

using cuda::BlockSpan;
using cuda::kRoundAccesses;

constexpr std::uint32_t kThreads = 1024;
constexpr std::uint32_t kWords = kThreads / 32 * cuda::kWordsPerWarp;
constexpr std::uint32_t kPoison = 0xa5a5a5a5U;

/// What a thread leaves: the sum over what it read, and how many of its words do not hold what was written last.
struct Left {
  std::uint32_t sum;
  std::uint32_t wrong;
};

__host__ __device__ constexpr std::uint32_t word_at(std::uint32_t index) {
  return index * 2654435761U;
}

__device__ __forceinline__ std::uint32_t count_other_than(const std::uint32_t* array,
                                                          std::uint32_t value) {
  std::uint32_t wrong = 0;
  for (std::uint32_t i = threadIdx.x; i < kWords; i += kThreads) wrong += array[i] != value;
  return wrong;
}

template <int kVectorWords>
__device__ __forceinline__ std::uint32_t first_place(const std::uint32_t* array) {
  return cuda::ptx::shared_address(array + cuda::shared_word<kVectorWords>(threadIdx.x, 0));
}

__device__ __forceinline__ cuda::ClockReading start_before_all() {
  const cuda::ClockReading start = cuda::start_together();
  __syncthreads();  // a warp that is served late must not read the clock when others are under way
  return start;
}

template <int kVectorWords>
__global__ void __launch_bounds__(kThreads)
    read_shared(std::uint32_t rounds, std::uint32_t zero, BlockSpan* spans, Left* left) {
  __shared__ __align__(16) std::uint32_t array[kWords];
  for (std::uint32_t i = threadIdx.x; i < kWords; i += kThreads) array[i] = word_at(i);
  std::uint32_t place = first_place<kVectorWords>(array);
  std::uint32_t sum = 0;
  const cuda::ClockReading start = start_before_all();
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; ++round) {
    sum += cuda::read_shared_round<kVectorWords>(place);
    place += zero;
  }
  cuda::stop_together(start, spans);
  left[blockIdx.x * kThreads + threadIdx.x] = {.sum = sum, .wrong = 0};
}

template <int kVectorWords>
__global__ void __launch_bounds__(kThreads)
    write_shared(std::uint32_t rounds, std::uint32_t zero, BlockSpan* spans, Left* left) {
  __shared__ __align__(16) std::uint32_t array[kWords];
  for (std::uint32_t i = threadIdx.x; i < kWords; i += kThreads) array[i] = kPoison;
  std::uint32_t place = first_place<kVectorWords>(array);
  const cuda::ClockReading start = start_before_all();
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; ++round) {
#pragma unroll
    for (std::uint32_t u = 0; u < kRoundAccesses<kVectorWords>; ++u)
      cuda::ptx::store_shared<kVectorWords>(place + u * 128 * kVectorWords, round);
    place += zero;
  }
  cuda::stop_together(start, spans);
  left[blockIdx.x * kThreads + threadIdx.x] = {.sum = 0,
                                               .wrong = count_other_than(array, rounds - 1)};
}

template <int kVectorWords>
__global__ void __launch_bounds__(kThreads)
    read_and_write_shared(std::uint32_t rounds, std::uint32_t zero, BlockSpan* spans, Left* left) {
  __shared__ __align__(16) std::uint32_t array[kWords];
  for (std::uint32_t i = threadIdx.x; i < kWords; i += kThreads) array[i] = kPoison;
  std::uint32_t place = first_place<kVectorWords>(array);
  std::uint32_t sum = 0;
  const cuda::ClockReading start = start_before_all();
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; ++round) {
#pragma unroll
    for (std::uint32_t u = 0; u < kRoundAccesses<kVectorWords>; ++u) {
      sum += cuda::ptx::load_shared_sum<kVectorWords>(place + u * 128 * kVectorWords);
      cuda::ptx::store_shared<kVectorWords>(place + u * 128 * kVectorWords, round);
    }
    place += zero;
  }
  cuda::stop_together(start, spans);
  left[blockIdx.x * kThreads + threadIdx.x] = {.sum = sum,
                                               .wrong = count_other_than(array, rounds - 1)};
}

using Kernel = void(std::uint32_t, std::uint32_t, BlockSpan*, Left*);

template <int kVectorWords>
Kernel* kernel_of(const std::string& operation) {
  if (operation == "read") return read_shared<kVectorWords>;
  if (operation == "write") return write_shared<kVectorWords>;
  return read_and_write_shared<kVectorWords>;
}

Kernel* kernel_for(const std::string& operation, std::int64_t width) {
  return width == 4   ? kernel_of<1>(operation)
         : width == 8 ? kernel_of<2>(operation)
                      : kernel_of<4>(operation);
}

template <int kVectorWords>
std::uint32_t sum_of_round(std::uint32_t thread) {
  std::uint32_t sum = 0;
  for (std::uint32_t u = 0; u < kRoundAccesses<kVectorWords>; ++u)
    for (std::uint32_t w = 0; w < kVectorWords; ++w)
      sum += word_at(cuda::shared_word<kVectorWords>(thread, u) + w);
  return sum;
}

std::uint32_t expected_sum(const std::string& operation, std::int64_t width, std::uint32_t rounds,
                           std::uint32_t thread) {
  if (operation == "write") return 0;
  if (operation == "read")
    return rounds * (width == 4   ? sum_of_round<1>(thread)
                     : width == 8 ? sum_of_round<2>(thread)
                                  : sum_of_round<4>(thread));
  // The poison, then 0, 1, ... rounds - 2: each word is read before its store.
  const std::uint64_t before = std::uint64_t{rounds - 1} * (rounds - 2) / 2;
  return static_cast<std::uint32_t>((before + kPoison) * (cuda::kWordsPerWarp / 32));
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  const std::string& operation = point.word("operation");
  const auto width = point.number("width");
  const auto blocks = static_cast<unsigned>(context.device.sm_count);
  const double bytes_a_round = sizeof(std::uint32_t) * kWords * (operation == "both" ? 2 : 1);
  // At 128 bytes a clock; two rounds at least, for the check of what is read back.
  const auto rounds =
      static_cast<std::uint32_t>(std::max(2.0, context.run_cycles * 128 / bytes_a_round));

  auto spans = cuda::poisoned<BlockSpan>(blocks, context.stream);
  auto left = cuda::poisoned<Left>(std::size_t{blocks} * kThreads, context.stream);
  // Twice: the first warms (under a load that has just begun the SM clock is lower for a millisecond).
  for (int launch = 0; launch < 2; ++launch)
    kernel_for(operation, width)<<<blocks, kThreads, 0, context.stream>>>(rounds, 0, spans.data(),
                                                                          left.data());
  MICRO_CUDA_CHECK_LAUNCH("shared stream");
  std::vector<BlockSpan> results(blocks);
  std::vector<Left> found(left.size());
  cuda::download<BlockSpan>(spans.data(), results, context.stream);
  cuda::download<Left>(left.data(), found, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  bool summed = true;
  bool written = true;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    const std::uint32_t sum = expected_sum(operation, width, rounds, thread);
    for (std::size_t block = 0; block < blocks; ++block) {
      summed = summed && found[block * kThreads + thread].sum == sum;
      written = written && found[block * kThreads + thread].wrong == 0;
    }
  }

  const cuda::GridSpan span = cuda::grid_span(results);
  const double bytes = bytes_a_round * rounds;
  std::vector<double> per_sm;
  for (std::size_t sm = 0; sm < span.sm_cycles.size(); ++sm)
    per_sm.push_back(bytes * span.sm_blocks[sm] / span.sm_cycles[sm]);
  const std::string per_clock(core::unit::kBytesPerCyclePerSm);
  core::Samples samples{.metrics = {{"bandwidth", per_clock, core::median(per_sm)},
                                    {"bandwidth", std::string(core::unit::kBytesPerSecond),
                                     bytes * blocks / span.ns * 1e9}},
                        .columns = {{"sm_bandwidth", per_clock, per_sm}},
                        .time_ns = span.ns,
                        .clock = span.clock};
  samples.facts.push_back({operation == "read"    ? "bytes_read"
                           : operation == "write" ? "bytes_written"
                                                  : "bytes_read_and_written",
                           std::string(core::unit::kBytes), bytes * blocks});
  if (operation != "write")
    samples.checks.push_back(core::check("sums", summed, "every thread, every element"));
  if (operation != "read")
    samples.checks.push_back(
        core::check("poison overwritten", written, "every thread, every element"));
  return samples;
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kScratchpadBandwidth),
     .question = "how many bytes an SM reads from, writes to, or reads and writes in its shared "
                 "memory a clock",
     .method = "32 warps an SM walk shared memory free of conflicts, by the SM's clock, median "
               "over SMs",
     .axes = {{.name = "operation",
               .unit = "",
               .meaning = "what is counted; both: each row is loaded and then stored",
               .words = {"read", "write", "both"},
               .automatic = {"read", "write", "both"}},
              {.name = "width",
               .unit = "bytes",
               .meaning = "bytes a lane asks for at once",
               .allowed = {4, 8, 16},
               .automatic = {"4B", "8B", "16B"}}},
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 5e-3}; }},
    measure};

}  // namespace
