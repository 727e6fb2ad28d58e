#include "cuda/stream_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/stream_timer.hpp"

namespace cuda {
namespace {

// About what a GPU of this class moves to and from its memory; for how long to run, nothing else.
constexpr double kTileBytesPerCyclePerSm = 17;
constexpr int kTimedLaunches = 3;
constexpr double kMostPasses = 65535;  // rows of a grid

template <typename Kernel>
std::vector<core::Quantity> facts_of(const StreamShape<Kernel>& shape, double pass_bytes,
                                     double warm_passes) {
  const std::string count(core::unit::kCount);
  return {{"bytes_per_pass", std::string(core::unit::kBytes), pass_bytes},
          {"warm_passes", count, warm_passes},
          {"threads_per_block", count, static_cast<double>(shape.threads)},
          {"accesses_in_flight_per_thread", count, static_cast<double>(shape.loads)},
          {"width", std::string(core::unit::kBytes), static_cast<double>(shape.width_bytes)}};
}

// A resident grid must fit: older GPUs hold fewer threads an SM than the shape was made for.
unsigned resident_blocks_per_sm(const StreamShape<RingKernel>& shape) {
  int most = 0;
  MICRO_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &most, reinterpret_cast<const void*>(shape.kernel), static_cast<int>(shape.threads), 0));
  if (most == 0) throw core::MeasureError("not one block of the kernel fits on an SM");
  return std::min(shape.blocks_per_sm, static_cast<unsigned>(most));
}

}  // namespace

double StreamTiming::bytes_per_s() const { return pass_bytes / core::median(pass_ns) * 1e9; }

StreamTiming run_ring(const Context& context, const StreamArrays& arrays, Operation operation,
                      const StreamShape<RingKernel>& shape, const RingSpread& spread) {
  const unsigned blocks_per_sm = resident_blocks_per_sm(shape);
  const auto sm_count = static_cast<unsigned>(context.device.sm_count);
  const unsigned blocks = spread.blocks > 0 ? spread.blocks : blocks_per_sm * sm_count;
  const auto footprint = static_cast<double>(arrays.bytes(operation));
  const double lap_bytes = spread.whole_each ? footprint * blocks : footprint;
  // Two laps at least to warm and as many timed; else half of the run's length each: under a load that has
  // just begun the SM clock is lower by up to 1 % for a millisecond.
  const double run_bytes =
      context.run_cycles * shape.about_bytes_per_cycle_per_sm * std::min(blocks, sm_count);
  auto laps = static_cast<std::uint32_t>(std::max(2.0, run_bytes / lap_bytes));
  auto warm_laps = laps;
  std::uint32_t zero = 0;
  const double pass_bytes = lap_bytes * laps;
  auto spans = poisoned<BlockSpan>(blocks, context.stream);
  DeviceBuffer<std::uint32_t> sums(blocks);
  DeviceBuffer<std::uint32_t> arrived(1);
  MICRO_CUDA_CHECK(cudaMemsetAsync(sums.data(), 0, sums.size_bytes(), context.stream));
  MICRO_CUDA_CHECK(cudaMemsetAsync(arrived.data(), 0, arrived.size_bytes(), context.stream));
  StreamArrays arguments = arrays;
  BlockSpan* spans_argument = spans.data();
  std::uint32_t* sums_argument = sums.data();
  std::uint32_t* arrived_argument = arrived.data();
  void* all[] = {&arguments,     &warm_laps,       &laps, &zero, &spans_argument,
                 &sums_argument, &arrived_argument};
  const void* kernel = reinterpret_cast<const void*>(shape.kernel);
  MICRO_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                        cudaSharedmemCarveoutMaxL1));
  MICRO_CUDA_CHECK(
      cudaLaunchCooperativeKernel(kernel, blocks, shape.threads, all, 0, context.stream));
  std::vector<BlockSpan> results(blocks);
  std::vector<std::uint32_t> found(blocks);
  download<BlockSpan>(spans.data(), results, context.stream);
  download<std::uint32_t>(sums.data(), found, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  const GridSpan span = grid_span(results);
  StreamTiming timing{.pass_ns = {span.ns},
                      .pass_bytes = pass_bytes,
                      .clock = span.clock,
                      .facts = facts_of(shape, pass_bytes, 1)};
  const std::string count(core::unit::kCount);
  timing.facts.push_back({"laps", count, static_cast<double>(laps)});
  timing.facts.push_back({"blocks_per_sm", count, static_cast<double>(blocks_per_sm)});
  if (operation == Operation::read) {
    std::vector<std::uint32_t> right =
        expected_sums(arrays, spread.whole_each ? 1 : blocks, warm_laps + laps, context.stream);
    right.resize(blocks, right.front());
    timing.checks.push_back(core::check("sums", found == right, "of every block, over all laps"));
  }
  for (std::size_t sm = 0; sm < span.sm_cycles.size(); ++sm)
    timing.sm_bytes_per_cycle.push_back(pass_bytes / blocks * span.sm_blocks[sm] /
                                        span.sm_cycles[sm]);
  timing.sm_ids = span.sm_ids;
  return timing;
}

StreamTiming run_tiles(const Context& context, const TileWork& work,
                       const StreamShape<TileKernel>& shape) {
  DeviceBuffer<ClockWatch> watch(1);
  DeviceBuffer<std::uint32_t> sum(1);
  const ClockWatch unseen{~0ULL, ~0ULL, 0, 0};
  upload<ClockWatch>({&unseen, 1}, watch.data(), context.stream);
  MICRO_CUDA_CHECK(cudaMemsetAsync(sum.data(), 0, sum.size_bytes(), context.stream));
  StreamArrays arguments = work.arrays;
  bool checks = true;
  std::uint32_t* sum_argument = sum.data();
  ClockWatch* watch_argument = watch.data();
  void* all[] = {&arguments, &checks, &sum_argument, &watch_argument};
  const void* kernel = reinterpret_cast<const void*>(shape.kernel);
  dim3 grid(static_cast<unsigned>(work.blocks));
  const auto launch = [&] {
    MICRO_CUDA_CHECK(cudaLaunchKernel(kernel, grid, shape.threads, all, 0, context.stream));
  };
  launch();
  std::uint32_t found = 0;
  download<std::uint32_t>(sum.data(), {&found, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  std::vector<core::Check> sums;
  if (work.sum) sums.push_back(core::check("sums", found == *work.sum, "of a pass, every element"));

  checks = false;
  const double run_bytes = context.run_cycles * kTileBytesPerCyclePerSm * context.device.sm_count;
  const double passes = std::clamp(std::floor(run_bytes / work.bytes), 1.0, kMostPasses);
  grid.y = static_cast<unsigned>(passes);
  upload<ClockWatch>({&unseen, 1}, watch.data(), context.stream);
  // The first warms, behind the blocker as well: after a pause writes take two milliseconds to reach their rate.
  const double launch_bytes = passes * work.bytes;
  const int timed =
      std::clamp(static_cast<int>(kTimedLaunches * run_bytes / launch_bytes), 1, kTimedLaunches);
  std::vector<double> launch_ns = time_launches(context.stream, 1 + timed, launch);
  launch_ns.erase(launch_ns.begin());
  StreamTiming timing{.pass_ns = std::move(launch_ns),
                      .pass_bytes = work.bytes,
                      .facts = facts_of(shape, work.bytes, passes + 1),
                      .checks = sums};
  for (double& ns : timing.pass_ns) ns /= passes;
  timing.facts.push_back({"passes_per_launch", std::string(core::unit::kCount), passes});
  ClockWatch seen{};
  download<ClockWatch>(watch.data(), {&seen, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  timing.clock =
      clock_between({seen.first_cycles, seen.first_ns}, {seen.last_cycles, seen.last_ns});
  return timing;
}

StreamTiming run_tiles(const Context& context, const StreamArrays& arrays, Operation operation,
                       const StreamShape<TileKernel>& shape) {
  const std::uint64_t tile_bytes = std::uint64_t{shape.threads} * shape.loads * shape.width_bytes;
  const std::uint64_t array_bytes = arrays.vectors * sizeof(uint4);
  TileWork work{.arrays = arrays,
                .blocks = (array_bytes + tile_bytes - 1) / tile_bytes,
                .bytes = static_cast<double>(arrays.bytes(operation))};
  if (operation == Operation::read) work.sum = expected_sums(arrays, 1, 1, context.stream).front();
  return run_tiles(context, work, shape);
}

core::Samples stream_samples(const Context& context, const StreamTiming& timing,
                             const std::byte* place, double walked_bytes) {
  const std::string bytes(core::unit::kBytes);
  core::Samples samples{
      .metrics = {{"bandwidth", std::string(core::unit::kBytesPerSecond), timing.bytes_per_s()}},
      .columns = {{"pass", std::string(core::unit::kNanoseconds), timing.pass_ns}},
      .time_ns = core::median(timing.pass_ns),
      .clock = timing.clock,
      .facts = timing.facts,
      .checks = timing.checks};
  samples.facts.push_back({"walked_footprint", bytes, walked_bytes});
  samples.facts.push_back(
      {"arena_offset", bytes, static_cast<double>(context.arena.offset_of(place))});
  return samples;
}

std::string too_small_for_memory(std::int64_t footprint_bytes, const core::Capacities& capacities) {
  constexpr std::int64_t kClearOf = 4;
  const std::int64_t least = kClearOf * capacities.get("l2");
  if (footprint_bytes >= least) return {};
  return fmt::format("{} are no stream from memory here: {} or more, 4 x the L2",
                     core::format_bytes(footprint_bytes), core::format_bytes(least));
}

core::Axis memory_level_axis() {
  return {.name = "level",
          .unit = "",
          .meaning = "whose ceiling bounds the figure: hbm from 4 x l2 on",
          .words = {"l2", "hbm"},
          .automatic = {"hbm"}};
}

std::string skip_unless_from_memory(const core::Point& point, const core::Capacities& capacities) {
  return point.word("level") == "l2" ? std::string()
                                     : too_small_for_memory(point.number("footprint"), capacities);
}

core::Cost memory_stream_cost(const core::Point& point, double passes, double least_bytes) {
  const auto footprint = static_cast<double>(point.number("footprint"));
  const double moved = 3 * footprint + std::max(passes * footprint, least_bytes);
  return {.memory_bytes = point.number("footprint"),
          .moved_bytes = moved,
          .seconds = 2e-3 + moved / 4e12};
}

}  // namespace cuda
