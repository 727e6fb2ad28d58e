// Question: how many bytes per second the runtime's copy (cudaMemcpyAsync, device to device) moves, by
//           size, and how many a copying kernel moves between the same two arrays.
// Method:   method runtime: cudaMemcpyAsync; kernel: the tile of bandwidth/global's copy. Each copy is an interval by events behind
//           a blocker, as many as two milliseconds hold, three at least, warmed by as many; the median. Every byte counts
//           twice, read and written; the footprint is source and target together.
// Holds when the target, poisoned before, holds what the source does.
// Flaws:    one copy an interval carries what starting and ending it costs, some microseconds: of small ones that is nearly all. This
//           is what a program that copies once meets; bandwidth/global has the kernel without it. Below 4 x L2
//           (level l2) copies are served by the L2 in part.
//
// What the runtime copies with is not seen here.
// SASS-LABEL: Function : {{.*}}copy_tile
// SASS-COUNT-1: LDG.E.128.STRONG.GPU
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT

#include <algorithm>

#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/stream_access.cuh"
#include "cuda/stream_run.hpp"
#include "cuda/stream_timer.hpp"

namespace {

using cuda::Operation;
using cuda::StreamArrays;

constexpr unsigned kThreads = 128;
constexpr double kBytesPerCyclePerSm = 16;  // about; for how often to copy, nothing else
constexpr int kMostCopies = 100;

__global__ void __launch_bounds__(kThreads)
    copy_tile(StreamArrays arrays, std::uint32_t* unused, cuda::ClockWatch* watch) {
  cuda::run_tile<cuda::Access<Operation::copy, cuda::Hint::cg>, 1>(arrays, kThreads, false, unused,
                                                                   watch);
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const bool by_kernel = point.word("method") == "kernel";
  const auto footprint = static_cast<std::size_t>(point.number("footprint"));
  std::byte* place = context.arena.place(footprint, 2 << 20, trial);
  const StreamArrays arrays = cuda::lay_arrays(place, footprint, Operation::copy);
  cuda::fill(arrays, Operation::copy, context.stream);
  const std::size_t size = arrays.vectors * sizeof(uint4);
  const auto bytes = static_cast<double>(2 * size);

  cuda::DeviceBuffer<cuda::ClockWatch> watch(1);
  const cuda::ClockWatch unseen{~0ULL, ~0ULL, 0, 0};
  const auto forget_clock = [&] {
    cuda::upload<cuda::ClockWatch>({&unseen, 1}, watch.data(), context.stream);
  };
  forget_clock();
  const auto blocks = static_cast<unsigned>((arrays.vectors + kThreads - 1) / kThreads);
  const auto copy = [&] {
    if (by_kernel) {
      copy_tile<<<blocks, kThreads, 0, context.stream>>>(arrays, nullptr, watch.data());
      MICRO_CUDA_CHECK_LAUNCH("copy_tile");
    } else {
      MICRO_CUDA_CHECK(
          cudaMemcpyAsync(arrays.b, arrays.a, size, cudaMemcpyDeviceToDevice, context.stream));
    }
  };
  const double run_bytes = context.run_cycles * kBytesPerCyclePerSm * context.device.sm_count;
  const int copies = std::clamp(static_cast<int>(run_bytes / bytes), 3, kMostCopies);
  for (int i = 0; i < copies; ++i) copy();
  forget_clock();
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  cuda::StreamTiming timing{
      .pass_ns = cuda::time_launches(context.stream, copies, copy),
      .pass_bytes = bytes,
      .facts = {{"bytes_per_pass", std::string(core::unit::kBytes), bytes},
                {"warm_passes", std::string(core::unit::kCount), static_cast<double>(copies)}}};
  if (by_kernel) {  // the runtime's copy does not read the clock
    cuda::ClockWatch seen{};
    cuda::download<cuda::ClockWatch>(watch.data(), {&seen, 1}, context.stream);
    MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
    timing.clock =
        cuda::clock_between({seen.first_cycles, seen.first_ns}, {seen.last_cycles, seen.last_ns});
  }
  core::Samples samples = cuda::stream_samples(context, timing, place, bytes);
  samples.checks.push_back(cuda::check_written(arrays, Operation::copy, context.stream));
  return samples;
}

core::Cost cost(const core::Point& point, const core::Capacities&) {
  return cuda::memory_stream_cost(point, 6, 18e9);
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = "memory_copy",
     .question = "how many bytes per second the runtime's device-to-device copy moves, by size",
     .method = "one copy an interval, by events behind a blocker; every byte counts twice, read "
               "and written",
     .axes = {cuda::memory_level_axis(),
              {.name = "method",
               .unit = "",
               .meaning = "runtime: cudaMemcpyAsync; kernel: one tile a block",
               .words = {"runtime", "kernel"},
               .automatic = {"runtime", "kernel"}},
              {.name = "footprint",
               .unit = "bytes",
               .meaning = "source and target together",
               .min = 1 << 20,
               .max = std::int64_t{512} << 30,
               .multiple_of = 256,
               .automatic = {"2GiB"}}},
     .skip = cuda::skip_unless_from_memory,
     .cost = cost},
    measure};

}  // namespace
