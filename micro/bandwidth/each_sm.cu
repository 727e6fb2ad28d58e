// Question: what does each SM read for itself, a clock, from its shared memory, its L1 and the L2; which is the slowest, and by
//           how much?
// Method:   one block of 32 warps on every SM; by its own clock each, from before its first access to after its last.
//           shared: 8 bytes a lane, free of bank conflicts (bandwidth/shared). l1: half of the L1, 16 bytes a lane (bandwidth/l1).
//           l2: a chunk of its own of 0.4 x L2, 16 bytes a lane past the L1 (cg). at_once all: every SM at the same time; shared
//           memories and L1s know nothing of each other, of the L2 each gets its share. at_once one: one SM after the other reads
//           while the rest sleeps, so that nothing but its own way to the L2 limits it.
// Holds when every block's sum is what the data predict and no two blocks ran on one SM.
// Flaws:    with all at once, an SM that ends early leaves its share of the L2 to the others: the spread is that of shares, not of what
//           each could get. One SM alone runs for an eighth of a millisecond. Which lines of the L2 an SM reads is
//           given by its block's number, and lines of one half of the L2 may be nearer than the other's.
//
// The accesses of a round, a step or a lap's rest between the clock reads; what is read after the last barrier is stored.
// SASS-LABEL: Function : {{.*}}each{{.*}}SourceE0
// SASS: CS2R [[BEGIN:R[0-9]+]], SR_CLOCKLO
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
// SASS: CS2R [[END:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[BEGIN]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[END]]{{$}}
// SASS-LABEL: Function : {{.*}}each{{.*}}SourceE1
// SASS: CS2R [[BEGIN:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS-COUNT-8: {{^}} LDG.E.128.STRONG.SM
// SASS-NOT: LDG
// SASS: BRA
// SASS-COUNT-8: @!P{{[0-9]}} LDG.E.128.STRONG.SM
// SASS-NOT: LDG
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS: CS2R [[END:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[BEGIN]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[END]]{{$}}
// SASS-LABEL: Function : {{.*}}each_l2
// SASS: CS2R [[BEGIN:R[0-9]+]], SR_CLOCKLO
// SASS: BAR.SYNC
// SASS: CS2R [[START:R[0-9]+]], SR_CLOCKLO
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS: BRA
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS-NOT: LDG
// SASS: BRA
// SASS: BAR.SYNC
// SASS: CS2R [[STOP:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[START]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[STOP]]{{$}}
// SASS: CS2R [[END:R[0-9]+]], SR_CLOCKLO
// SASS: STG.E.64 {{.*}}], [[BEGIN]]{{$}}
// SASS: STG.E.64 {{.*}}+0x10], [[END]]{{$}}

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/block_span.cuh"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/sm_streams.cuh"
#include "cuda/stream_access.cuh"
#include "cuda/turns.cuh"

namespace {

using cuda::BlockSpan;
using cuda::Operation;
using cuda::StreamArrays;

enum class Source { shared, l1 };

constexpr std::uint32_t kWarps = 32;
constexpr std::uint32_t kThreads = 32 * kWarps;
constexpr std::uint32_t kWords = kWarps * cuda::kWordsPerWarp;  // in shared memory
constexpr std::uint32_t kOwnLaps = 2;  // to warm: after a wait for others an L1 holds nothing
// A turn is so much shorter than a run of all SMs at once.
constexpr double kTurnShare = 1.0 / 16;

__host__ __device__ constexpr std::uint32_t word_at(std::uint32_t index) {
  return index * 2654435761U;
}

struct Plan {
  std::uint32_t warm;   // rounds over the shared memory, or laps over the chunk
  std::uint32_t timed;  // the same
  std::uint32_t zero;   // is 0, which the compiler does not know
  bool in_turns;
};

struct Left {
  BlockSpan* timed;  // one a block
  BlockSpan* whole;  // from the kernel's start to its end: for how fast the clock ran
  std::uint32_t* sums;
  std::uint32_t* arrived;
  std::uint32_t* turn;
};

__device__ __forceinline__ void leave_whole(const cuda::ClockReading& begin, const Left& left) {
  if (threadIdx.x == 0)
    left.whole[blockIdx.x] = {.start = begin,
                              .stop = cuda::read_clocks(),
                              .smid = cuda::ptx::smid(),
                              .block = blockIdx.x};
}

template <Source source>
__global__ void __launch_bounds__(kThreads) each(StreamArrays arrays, Plan plan, Left left) {
  __shared__ __align__(16) std::uint32_t array[source == Source::shared ? kWords : 1];
  const cuda::ClockReading begin = cuda::read_clocks();
  const cuda::Chunk chunk = cuda::chunk_of(arrays.vectors, blockIdx.x, gridDim.x);
  std::uint32_t place = 0;
  if constexpr (source == Source::shared) {
    for (std::uint32_t i = threadIdx.x; i < kWords; i += kThreads) array[i] = word_at(i);
    place = cuda::ptx::shared_address(array + cuda::shared_word<2>(threadIdx.x, 0));
  }
  std::uint32_t sum = 0;
  cuda::ClockReading start{};
  // All together to warm, each by itself to warm its own, and timed: the same code.
#pragma unroll 1
  for (int phase = 0; phase < 3; ++phase) {
    if (phase == 1) cuda::wait_for_grid(left.arrived);
    if (phase == 1 && plan.in_turns) cuda::wait_for_turn(left.turn, blockIdx.x);
    const std::uint32_t times = phase == 0 ? plan.warm : phase == 1 ? kOwnLaps : plan.timed;
    start = cuda::start_together();
    __syncthreads();  // no warp begins before the clock is read
    if constexpr (source == Source::shared) {
#pragma unroll 1
      for (std::uint32_t round = 0; round < times; ++round) {
        sum += cuda::read_shared_round<2>(place);
        place += plan.zero;
      }
    } else {
      sum += cuda::read_l1<4, kWarps>(reinterpret_cast<const std::byte*>(arrays.a + chunk.first),
                                      chunk.vectors * static_cast<std::uint32_t>(sizeof(uint4)),
                                      times);
    }
  }
  cuda::stop_together(start, left.timed);
  if (plan.in_turns) cuda::pass_on(left.turn, blockIdx.x + 1);
  atomicAdd(left.sums + blockIdx.x, sum);
  leave_whole(begin, left);
}

// As bandwidth/sm_count reads. In turns, `arrived` says from the start that all are there.
__global__ void __launch_bounds__(kThreads) each_l2(StreamArrays arrays, Plan plan, Left left) {
  constexpr int kLoads = 2;
  const cuda::ClockReading begin = cuda::read_clocks();
  if (plan.in_turns) cuda::wait_for_turn(left.turn, blockIdx.x);
  cuda::run_laps<cuda::Access<Operation::read, cuda::Hint::cg>, kLoads>(
      arrays, cuda::chunk_of(arrays.vectors, blockIdx.x, gridDim.x), kThreads, plan.warm,
      plan.timed, plan.zero, left.timed, left.sums, left.arrived);
  if (plan.in_turns) cuda::pass_on(left.turn, blockIdx.x + 1);
  leave_whole(begin, left);
}

/// What a point reads: in all, and about how fast an SM does, for how long it runs.
struct Reads {
  const void* kernel;
  std::int64_t bytes;  // of global memory; 0: shared memory
  double about_bytes_per_cycle;
};

Reads reads_of(const core::Point& point, std::int64_t l1_total_bytes, std::int64_t l2_bytes) {
  constexpr std::int64_t kLine = 128;
  const std::string& level = point.word("level");
  const bool alone = point.word("at_once") == "one";
  if (level == "shared") return {reinterpret_cast<const void*>(each<Source::shared>), 0, 128};
  if (level == "l1")
    return {reinterpret_cast<const void*>(each<Source::l1>), l1_total_bytes / 2 / kLine * kLine,
            128};
  return {reinterpret_cast<const void*>(each_l2), l2_bytes * 2 / 5 / kLine * kLine,
          alone ? 64.0 : 36.0};
}

std::uint32_t sum_of_array() {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < kWords; ++i) sum += word_at(i);
  return sum;
}

// Of each block: the lines that chunk_of() gives it, or the array in shared memory.
std::vector<double> bytes_of_blocks(std::int64_t footprint_bytes, std::int64_t blocks) {
  std::vector<double> bytes(static_cast<std::size_t>(blocks), sizeof(std::uint32_t) * kWords);
  const std::int64_t lines = footprint_bytes / 128;
  for (std::int64_t block = 0; lines > 0 && block < blocks; ++block)
    bytes[static_cast<std::size_t>(block)] =
        static_cast<double>(lines * (block + 1) / blocks - lines * block / blocks) * 128;
  return bytes;
}

/// One row an SM, by its %smid.
struct EachSm {
  std::vector<std::vector<double>> rows;  // smid, bytes a cycle
  std::vector<double> sorted;             // bytes a cycle
};

EachSm each_of(const std::vector<BlockSpan>& spans, const std::vector<double>& bytes) {
  EachSm sms;
  for (const BlockSpan& span : spans) {
    const double cycles = static_cast<double>(span.stop.cycles - span.start.cycles);
    sms.rows.push_back({static_cast<double>(span.smid), bytes[span.block] / cycles});
    sms.sorted.push_back(sms.rows.back()[1]);
  }
  std::ranges::sort(sms.rows);
  std::ranges::sort(sms.sorted);
  return sms;
}

core::Samples samples_of(const EachSm& sms) {
  const std::string per_clock(core::unit::kBytesPerCyclePerSm);
  const auto by_speed = [](const std::vector<double>& row) { return row[1]; };
  const auto same_place = [](const auto& a, const auto& b) { return a[0] == b[0]; };
  const double slowest = sms.sorted.front();
  const double fastest = sms.sorted.back();
  core::Samples samples{.metrics = {{"median_sm", per_clock, core::median(sms.sorted)},
                                    {"slowest_sm", per_clock, slowest},
                                    {"fastest_sm", per_clock, fastest},
                                    {"fastest_over_slowest", "percent", 100 * fastest / slowest}}};
  samples.tables = {
      {.name = "sms", .unit = per_clock, .columns = {"smid", "bandwidth"}, .rows = sms.rows}};
  const std::string count(core::unit::kCount);
  samples.facts = {
      {"slowest_smid", count, std::ranges::min_element(sms.rows, {}, by_speed)->front()},
      {"fastest_smid", count, std::ranges::max_element(sms.rows, {}, by_speed)->front()}};
  samples.checks = {core::check("one block an SM",
                                std::ranges::adjacent_find(sms.rows, same_place) == sms.rows.end(),
                                std::to_string(sms.rows.size()) + " blocks")};
  return samples;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const auto blocks = static_cast<unsigned>(context.device.sm_count);
  const Reads reads =
      reads_of(point, static_cast<std::int64_t>(context.device.l1_bytes) * context.device.sm_count,
               static_cast<std::int64_t>(context.device.l2_bytes));
  StreamArrays arrays{};
  if (reads.bytes > 0) {
    const auto footprint = static_cast<std::size_t>(reads.bytes);
    arrays = cuda::lay_arrays(context.arena.place(footprint, 2 << 20, trial), footprint,
                              Operation::read);
    cuda::fill(arrays, Operation::read, context.stream);
  }
  std::vector<double> bytes = bytes_of_blocks(reads.bytes, blocks);
  const bool alone = point.word("at_once") == "one";
  const bool is_l2 = point.word("level") == "l2";
  const double times = context.run_cycles * reads.about_bytes_per_cycle / bytes.front();
  Plan plan{.warm = static_cast<std::uint32_t>(std::max(1.0, times)),
            .timed = static_cast<std::uint32_t>(std::max(1.0, alone ? times * kTurnShare : times)),
            .zero = 0,
            .in_turns = alone};
  if (is_l2 && alone) plan.warm = kOwnLaps;
  for (double& one : bytes) one *= plan.timed;

  auto spans = cuda::poisoned<BlockSpan>(2 * std::size_t{blocks}, context.stream);
  std::vector<std::uint32_t> begin(blocks + 2, 0);  // sums, how many arrived, whose turn it is
  if (is_l2 && alone) begin[blocks] = blocks;
  cuda::DeviceBuffer<std::uint32_t> words(begin.size());
  cuda::upload<std::uint32_t>(begin, words.data(), context.stream);
  Left left{.timed = spans.data(),
            .whole = spans.data() + blocks,
            .sums = words.data(),
            .arrived = words.data() + blocks,
            .turn = words.data() + blocks + 1};
  void* all[] = {&arrays, &plan, &left};
  MICRO_CUDA_CHECK(cudaFuncSetAttribute(
      reads.kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
      reads.bytes > 0 ? cudaSharedmemCarveoutMaxL1 : cudaSharedmemCarveoutMaxShared));
  MICRO_CUDA_CHECK(
      cudaLaunchCooperativeKernel(reads.kernel, blocks, kThreads, all, 0, context.stream));
  std::vector<BlockSpan> found(spans.size());
  std::vector<std::uint32_t> sums(blocks);
  cuda::download<BlockSpan>(spans.data(), found, context.stream);
  cuda::download<std::uint32_t>(words.data(), sums, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  const std::uint32_t laps = plan.warm + (is_l2 ? 0 : kOwnLaps) + plan.timed;
  const std::vector<std::uint32_t> right =
      reads.bytes > 0 ? cuda::expected_sums(arrays, blocks, laps, context.stream)
                      : std::vector<std::uint32_t>(blocks, sum_of_array() * laps);
  const std::vector<BlockSpan> timed(found.begin(), found.begin() + blocks);
  const std::vector<BlockSpan> whole(found.begin() + blocks, found.end());
  core::Samples samples = samples_of(each_of(timed, bytes));
  const cuda::GridSpan span = cuda::grid_span(whole);
  samples.time_ns = span.ns;
  samples.clock = span.clock;
  samples.facts.push_back(
      {"bytes_read_by_an_sm", std::string(core::unit::kBytes), core::median(bytes)});
  samples.facts.push_back(
      {"walked_footprint", std::string(core::unit::kBytes), static_cast<double>(reads.bytes)});
  samples.checks.push_back(core::check("sums", sums == right, "of every block, over all laps"));
  return samples;
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const Reads reads = reads_of(point, capacities.get("l1_total"), capacities.get("l2"));
  const bool alone = point.word("at_once") == "one";
  return {.memory_bytes = reads.bytes, .seconds = alone ? 25e-3 : 6e-3};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = "bandwidth_of_each_sm",
     .question = "what each SM reads a clock from its shared memory, its L1 and the L2; which is "
                 "the slowest",
     .method = "one block of 32 warps on every SM, by its own clock each; coalesced, free of bank "
               "conflicts",
     .axes = {{.name = "level",
               .unit = "",
               .meaning = "what is read: shared memory, half of each L1, 0.4 x l2 together",
               .words = {"shared", "l1", "l2"},
               .automatic = {"shared", "l1", "l2"}},
              {.name = "at_once",
               .unit = "",
               .meaning = "SMs that read at the same time: all, or one after the other",
               .words = {"all", "one"},
               .automatic = {"all"}}},
     .skip = [](const core::Point& point, const core::Capacities& capacities) -> std::string {
       if (point.word("level") != "l1" || capacities.get("l1_total") > 0) return {};
       return "the size of this device's L1 is not known";
     },
     .cost = cost},
    measure};

}  // namespace
