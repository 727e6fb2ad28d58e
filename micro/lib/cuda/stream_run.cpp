#include "cuda/stream_run.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/stream_timer.hpp"

namespace cuda {
namespace {

// About what a GPU of this class moves to and from its memory; for how long to run, nothing else.
constexpr double kTileBytesPerCyclePerSm = 17;

template <typename Kernel>
std::vector<core::Quantity> facts_of(const StreamShape<Kernel>& shape, double pass_bytes,
                                     double warm_passes) {
  const std::string count(core::unit::kCount);
  return {{"bytes_per_pass", std::string(core::unit::kBytes), pass_bytes},
          {"warm_passes", count, warm_passes},
          {"threads_per_block", count, static_cast<double>(shape.threads)},
          {"accesses_in_flight_per_thread", count, static_cast<double>(shape.loads)}};
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

StreamTiming run_ring(const Context& context, const StreamArrays& arrays, Operation operation,
                      const StreamShape<RingKernel>& shape) {
  const unsigned blocks_per_sm = resident_blocks_per_sm(shape);
  const unsigned blocks = blocks_per_sm * static_cast<unsigned>(context.device.sm_count);
  const auto footprint = static_cast<double>(arrays.bytes(operation));
  // Two laps at least to warm and as many timed; else half of the run's length each: under a load that has
  // just begun the SM clock is lower by up to 1 % for a millisecond.
  const double run_bytes =
      context.run_cycles * shape.about_bytes_per_cycle_per_sm * context.device.sm_count;
  auto laps = static_cast<std::uint32_t>(std::max(2.0, run_bytes / footprint));
  auto warm_laps = laps;
  std::uint32_t zero = 0;
  const double pass_bytes = footprint * laps;
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
  if (operation == Operation::read)
    timing.checks.push_back(core::check(
        "sums", found == expected_sums(arrays, blocks, warm_laps + laps, context.stream),
        "of every block, over all laps"));
  for (std::size_t sm = 0; sm < span.sm_cycles.size(); ++sm)
    timing.sm_bytes_per_cycle.push_back(pass_bytes / blocks * span.sm_blocks[sm] /
                                        span.sm_cycles[sm]);
  return timing;
}

StreamTiming run_tiles(const Context& context, const StreamArrays& arrays, Operation operation,
                       const StreamShape<TileKernel>& shape) {
  const std::uint64_t tile_vectors = std::uint64_t{shape.threads} * shape.loads;
  const auto blocks = static_cast<unsigned>((arrays.vectors + tile_vectors - 1) / tile_vectors);
  DeviceBuffer<ClockWatch> watch(1);
  DeviceBuffer<std::uint32_t> sum(1);
  const ClockWatch unseen{~0ULL, ~0ULL, 0, 0};
  upload<ClockWatch>({&unseen, 1}, watch.data(), context.stream);
  MICRO_CUDA_CHECK(cudaMemsetAsync(sum.data(), 0, sum.size_bytes(), context.stream));
  StreamArrays arguments = arrays;
  bool checks = true;
  std::uint32_t* sum_argument = sum.data();
  ClockWatch* watch_argument = watch.data();
  void* all[] = {&arguments, &checks, &sum_argument, &watch_argument};
  const void* kernel = reinterpret_cast<const void*>(shape.kernel);
  const auto launch = [&] {
    MICRO_CUDA_CHECK(cudaLaunchKernel(kernel, blocks, shape.threads, all, 0, context.stream));
  };
  launch();
  std::uint32_t found = 0;
  download<std::uint32_t>(sum.data(), {&found, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  std::vector<core::Check> sums;
  if (operation == Operation::read)
    sums.push_back(core::check("sums", found == expected_sums(arrays, 1, 1, context.stream).front(),
                               "of a pass, every element"));

  checks = false;
  const auto bytes = static_cast<double>(arrays.bytes(operation));
  // About two milliseconds to warm and as many timed, as above.
  const double run_bytes = context.run_cycles * kTileBytesPerCyclePerSm * context.device.sm_count;
  const int launches = std::clamp(static_cast<int>(run_bytes / bytes), 3, 40);
  for (int i = 0; i < launches; ++i) launch();
  upload<ClockWatch>({&unseen, 1}, watch.data(), context.stream);
  StreamTiming timing{.pass_ns = time_launches(context.stream, launches, launch),
                      .pass_bytes = bytes,
                      .facts = facts_of(shape, bytes, launches + 1),
                      .checks = sums};
  ClockWatch seen{};
  download<ClockWatch>(watch.data(), {&seen, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  timing.clock =
      clock_between({seen.first_cycles, seen.first_ns}, {seen.last_cycles, seen.last_ns});
  return timing;
}

}  // namespace cuda
