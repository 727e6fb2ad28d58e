// Question: how many bytes per second do SMs read from the other partition of the L2, against their own?
// Method:   sides and the home of 200,000 lines are found first (cuda/sides.hpp). Then one launch: the lines of
//           either home are written by SMs of that home, all SMs meet, and each line is read once, 16 bytes a
//           thread, by one SM: far of the other side, so that every read is a first read and crosses; near of
//           the same side. Both sides read at once, and each alone; every pass writes anew. Timed
//           from the earliest start to the latest stop by the global timer. Bytes declared: read ones, once.
// Holds when the sum of each pass is that of what was written just before it.
// Flaws:    all must stay in the L2 beside the copies, so a pass is short (a fifth of the L2 by each
//           side, 3 to 11 us): near is a lower bound, for the first and last microsecond, with not
//           all loads in flight, are in it. Lines are modified at home when they are read.
//
// Seen on an H200 (66 SMs a side): far 1.21 TB/s into one side, 9.3 B/clk for each of its SMs, and 2.39 TB/s into both
// at once, so that each direction has its own way; near 3.9 and 7.5 TB/s. Counters of a launch: reads over the fabric
// (lts__t_sectors_srcunit_ltcfabric_op_read) are 100.1 % of the declared sectors with far and 0.04 % with near; near
// hits in the SM's own partition (lts__t_sectors_srcunit_tex_op_read_lookup_hit), far misses there; from memory come 0.2 %.
//
// 16-byte loads through L2, between the barrier and clock read of the start and, after a barrier that needs
// their sum, the one of the end.
// SASS-LABEL: Function : {{.*}}write_then_read
// SASS: STG.E.128
// SASS: ATOMG.E.ADD
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: SR_GLOBALTIMERLO
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: LDG.E.128.STRONG.GPU
// SASS-NOT: {{SR_CLOCKLO}}
// SASS: LDG.E.128.STRONG.GPU
// SASS-NOT: {{(LDG|STG).E.128|SR_CLOCKLO}}
// SASS: BAR.RED.OR
// SASS-NOT: {{(LDG|STG)}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <algorithm>
#include <array>
#include <cmath>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/block_span.cuh"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/sides.hpp"
#include "cuda/stream_arrays.cuh"
#include "cuda/turns.cuh"

namespace {

using cuda::BlockSpan;
using cuda::Sides;

constexpr int kThreads = 1024;
constexpr int kLoads = 2;  // in flight a thread
constexpr std::uint32_t kLanes = cuda::kLineBytes / sizeof(uint4);
constexpr std::uint32_t kStepLines = kThreads / kLanes * kLoads;  // of a block at once
constexpr std::size_t kMostListBytes = 8 * kStepLines * sizeof(std::uint32_t);
constexpr int kReaders = 3;  // both sides, side 0, side 1: in turn

struct Plan {
  std::uint64_t base;
  const std::uint32_t* lines[2];  // those at home on each side
  std::uint32_t blocks[2];        // of each side
  const std::int8_t* side_of_smid;
  std::uint32_t block_lines;  // that a block reads; a multiple of kStepLines
  std::uint32_t passes;
  bool far;
};

struct Marks {
  std::uint32_t* ranks;    // of each side: blocks that have come
  std::uint32_t* arrived;  // two a pass
  BlockSpan* spans;        // passes x blocks
  std::uint32_t* sums;     // one a pass
};

__device__ __forceinline__ bool reads_in(std::uint32_t pass, int side) {
  return pass % kReaders == 0 || pass % kReaders == 1U + side;
}

__global__ void __launch_bounds__(kThreads, cuda::kThreadsPerSm / kThreads)
    write_then_read(Plan plan, Marks marks) {
  extern __shared__ std::uint32_t list[];
  __shared__ std::uint32_t shared_rank;
  const int side = plan.side_of_smid[cuda::ptx::smid()];
  if (threadIdx.x == 0) shared_rank = atomicAdd(marks.ranks + side, 1U);
  __syncthreads();
  const std::uint32_t rank = shared_rank;
  // By a choice and not by an index, which would bring the plan into local memory.
  const bool is_0 = side == 0;
  const std::uint32_t* home_lines = is_0 ? plan.lines[0] : plan.lines[1];
  const std::uint32_t* far_lines = is_0 ? plan.lines[1] : plan.lines[0];
  const std::uint32_t own_blocks = is_0 ? plan.blocks[0] : plan.blocks[1];
  const std::uint32_t other_blocks = is_0 ? plan.blocks[1] : plan.blocks[0];
  const std::uint32_t* reads = (plan.far ? far_lines : home_lines) + rank * plan.block_lines;
  for (std::uint32_t i = threadIdx.x; i < plan.block_lines; i += kThreads) list[i] = reads[i];
  // Of its own home, what blocks of the other side (far) or the next block of this one (near) read.
  const std::uint32_t written = (plan.far ? other_blocks : own_blocks) * plan.block_lines;
  const std::uint32_t share = (written + own_blocks - 1) / own_blocks;
  const std::uint32_t first = (rank + 1) % own_blocks * share;
  const std::uint32_t end = min(first + share, written);
#pragma unroll 1
  for (std::uint32_t pass = 0; pass < plan.passes; ++pass) {
    if (first < end) cuda::write_lines(plan.base, home_lines + first, end - first, pass % 2);
    cuda::wait_for_grid(marks.arrived + 2 * pass);
    if (reads_in(pass, side)) {
      const cuda::ClockReading start = cuda::start_together();
      std::uint32_t sum = 0;
#pragma unroll 1
      for (std::uint32_t at = threadIdx.x / kLanes; at < plan.block_lines; at += kStepLines) {
        uint4 v[kLoads];
#pragma unroll
        for (int u = 0; u < kLoads; ++u) {
          const std::uint64_t line = list[at + u * (kThreads / kLanes)];
          v[u] = cuda::ptx::load_vector<cuda::ptx::Operator::cg>(
              reinterpret_cast<const uint4*>(plan.base + line * cuda::kLineBytes) +
              threadIdx.x % kLanes);
        }
#pragma unroll
        for (int u = 0; u < kLoads; ++u) sum += cuda::sum_of(v[u]);
      }
      // A barrier that takes a bit of every sum: it waits for every load.
      const int odd = __syncthreads_or(static_cast<int>(sum & 1));
      const cuda::ClockReading stop = cuda::read_clocks();
      if (threadIdx.x == 0)
        marks.spans[pass * gridDim.x + blockIdx.x] = {.start = start,
                                                      .stop = stop,
                                                      .smid = cuda::ptx::smid(),
                                                      .block = odd >= 0 ? blockIdx.x : ~0U};
      atomicAdd(marks.sums + pass, sum);
    }
    cuda::wait_for_grid(marks.arrived + 2 * pass + 1);
  }
}

std::uint32_t sum_of_lines(const std::vector<std::uint32_t>& lines, std::uint32_t stamp) {
  constexpr std::uint32_t kWords = cuda::kLineBytes / sizeof(std::uint32_t);
  std::uint32_t sum = 0;
  for (const std::uint32_t line : lines) sum += kWords * cuda::word_of_line(line, stamp);
  return sum;
}

struct Passes {
  std::vector<double> ns[kReaders];
  core::Clock clock;
  core::Check sums;
};

Passes run(const cuda::Context& context, const Plan& plan_on_host, const cuda::HomeLines& lines,
           const Sides& sides, unsigned blocks) {
  Plan plan = plan_on_host;
  cuda::DeviceBuffer<std::uint32_t> device_lines[2];
  for (const int home : {0, 1}) {
    device_lines[home] = cuda::DeviceBuffer<std::uint32_t>(lines[home].size());
    cuda::upload<std::uint32_t>(lines[home], device_lines[home].data(), context.stream);
    plan.lines[home] = device_lines[home].data();
  }
  const std::vector<std::int8_t> table = sides.by_smid();
  cuda::DeviceBuffer<std::int8_t> device_table(table.size());
  cuda::upload<std::int8_t>(table, device_table.data(), context.stream);
  plan.side_of_smid = device_table.data();

  auto spans = cuda::poisoned<BlockSpan>(std::size_t{plan.passes} * blocks, context.stream);
  cuda::DeviceBuffer<std::uint32_t> counters(2 + 3 * std::size_t{plan.passes});
  MICRO_CUDA_CHECK(cudaMemsetAsync(counters.data(), 0, counters.size_bytes(), context.stream));
  Marks marks{.ranks = counters.data(),
              .arrived = counters.data() + 2,
              .spans = spans.data(),
              .sums = counters.data() + 2 + 2 * plan.passes};
  void* arguments[] = {&plan, &marks};
  MICRO_CUDA_CHECK(cudaLaunchCooperativeKernel(
      reinterpret_cast<const void*>(write_then_read), blocks, kThreads, arguments,
      plan.block_lines * sizeof(std::uint32_t), context.stream));
  std::vector<BlockSpan> all(spans.size());
  std::vector<std::uint32_t> sums(plan.passes);
  cuda::download<BlockSpan>(spans.data(), all, context.stream);
  cuda::download<std::uint32_t>(marks.sums, sums, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  std::uint32_t sums_of_lines[2][2];  // by home and stamp
  for (const std::uint32_t home : {0U, 1U})
    for (const std::uint32_t stamp : {0U, 1U})
      sums_of_lines[home][stamp] = sum_of_lines(lines[home], stamp);
  Passes passes;
  bool right = true;
  BlockSpan whole = all[0];  // block 0 reads in the first pass; and in the last in which it does
  for (std::uint32_t pass = 0; pass < plan.passes; ++pass) {
    const std::uint32_t readers = pass % kReaders;
    std::vector<BlockSpan> readers_spans;
    std::uint32_t expected = 0;
    for (const std::uint32_t side : {0U, 1U})
      if (readers == 0 || readers == 1 + side)
        expected += sums_of_lines[plan.far ? 1 - side : side][pass % 2];
    right = right && sums[pass] == expected;
    const BlockSpan* const row = all.data() + std::size_t{pass} * blocks;
    std::copy_if(row, row + blocks, std::back_inserter(readers_spans),
                 [&](const BlockSpan& span) { return span.smid < table.size(); });
    passes.ns[readers].push_back(cuda::grid_span(readers_spans).ns);
    if (row[0].smid == whole.smid) whole.stop = row[0].stop;
  }
  passes.clock = cuda::clock_between(whole.start, whole.stop);
  passes.sums = core::check("sums", right, "of every pass: what was written just before it");
  return passes;
}

double bandwidth(double bytes, std::vector<double>& ns) {
  if (ns.size() > 1) ns.erase(ns.begin());  // the first of its kind: translation and code are cold
  return bytes / core::median(ns) * 1e9;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const bool brief = context.run_cycles < cuda::kBriefCycles;
  int blocks_per_sm = 0;
  MICRO_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, write_then_read,
                                                                 kThreads, kMostListBytes));
  const double lines_of_side =
      0.2 * static_cast<double>(context.device.l2_bytes) / cuda::kLineBytes;
  const double blocks_of_side = context.device.sm_count * blocks_per_sm / 2.0;
  const double steps = brief ? 1 : std::round(lines_of_side / blocks_of_side / kStepLines);
  const auto block_lines = static_cast<std::uint32_t>(std::clamp(steps, 1.0, 8.0)) * kStepLines;
  // Homes are halves but for chance; some stay unsure, and sides may differ by some SMs.
  const auto most = static_cast<std::uint32_t>(2.5 * blocks_of_side * block_lines);
  std::byte* place = context.arena.place(std::size_t{most} * cuda::kLineBytes, 2 << 20, trial);

  Sides sides =
      cuda::divide(context, cuda::scatter_lines(place, 1, brief ? 8 : 32, trial.seed)).sides;
  cuda::pretend_two(context, sides);
  if (sides.partitions == 1) throw core::SkipError("the L2 shows one partition: no read is far");
  Plan plan{.base = reinterpret_cast<std::uint64_t>(place),
            .block_lines = block_lines,
            .passes = kReaders * (brief ? 1U : 27U),
            .far = point.word("place") == "far"};
  std::array<std::size_t, 2> wanted{};
  for (const int side : {0, 1}) {
    plan.blocks[side] = static_cast<std::uint32_t>(sides.count(side)) * blocks_per_sm;
    wanted[plan.far ? 1 - side : side] = std::size_t{plan.blocks[side]} * block_lines;
  }
  const cuda::HomeLines lines = cuda::lines_at_home(context, sides, place, most, wanted);
  const unsigned blocks = plan.blocks[0] + plan.blocks[1];
  Passes passes = run(context, plan, lines, sides, blocks);

  const double block_bytes = static_cast<double>(block_lines) * cuda::kLineBytes;
  const double hertz = passes.clock.hertz();
  const double both = bandwidth(block_bytes * blocks, passes.ns[0]);
  const double side_0 = bandwidth(block_bytes * plan.blocks[0], passes.ns[1]);
  const double side_1 = bandwidth(block_bytes * plan.blocks[1], passes.ns[2]);
  const std::string per_s(core::unit::kBytesPerSecond);
  const std::string per_clock(core::unit::kBytesPerCyclePerSm);
  const std::string ns(core::unit::kNanoseconds);
  const std::string count(core::unit::kCount);
  const auto sms = [&](int side) { return static_cast<double>(sides.count(side)); };
  return {.metrics = {{"bandwidth", per_s, both},
                      {"bandwidth", per_clock, both / hertz / (sms(0) + sms(1))},
                      {"one_side_bandwidth", per_s, (side_0 + side_1) / 2},
                      {"one_side_bandwidth", per_clock,
                       (side_0 / sms(0) + side_1 / sms(1)) / 2 / hertz}},
          .columns = {{"pass_of_both_sides", ns, passes.ns[0]},
                      {"pass_of_side_0", ns, passes.ns[1]},
                      {"pass_of_side_1", ns, passes.ns[2]}},
          .time_ns = core::median(passes.ns[0]),
          .clock = passes.clock,
          .facts = {{"bytes_per_pass", std::string(core::unit::kBytes), block_bytes * blocks},
                    {"sms_of_side_0", count, sms(0)},
                    {"sms_of_side_1", count, sms(1)},
                    {"blocks_per_sm", count, static_cast<double>(blocks_per_sm)},
                    {"arena_offset", std::string(core::unit::kBytes),
                     static_cast<double>(context.arena.offset_of(place))}},
          .checks = {passes.sums}};
}

core::Cost cost(const core::Point&, const core::Capacities& capacities) {
  const double l2 = static_cast<double>(capacities.get("l2"));
  return {.memory_bytes = capacities.get("l2"), .moved_bytes = 30 * 0.4 * l2, .seconds = 0.08};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kPlaceBandwidth),
     .question =
         "how many bytes per second SMs read from the other L2 partition, against their own",
     .method =
         "lines written by SMs of their home, then read once, 16 bytes a thread, by SMs of the "
         "other side (far) or the same (near)",
     .axes = {{.name = "place",
               .unit = "",
               .meaning = "near: the readers' own partition holds the line; far: the other does",
               .words = {"near", "far"},
               .automatic = {"near", "far"}},
              {.name = "level",
               .unit = "",
               .meaning = "whose ceiling bounds it",
               .words = {"l2"},
               .automatic = {"l2"}}},
     .cost = cost},
    measure};

}  // namespace
