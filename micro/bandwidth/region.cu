// Question: whether all of the memory is read equally fast: bytes per second by region.
// Method:   the footprint, as much of the memory as the configuration asks for, cut into equal regions one behind the other in address;
//           each is read twice by the tiles of bandwidth/global's read (all regions in turn, then all again), each time one interval
//           by events behind a blocker. Of a region the better of the two, so that a disturbance
//           is not taken for a place; the metrics are over the regions. Every byte counts once.
// Holds when every region's sum is the one that the pattern predicts.
// Flaws:    addresses are virtual: a region is what the driver laid there, in pages of 2 MiB and more, and every page spreads over all
//           stacks and channels. A slow stack therefore shows in all regions alike; what shows in one is pages that are
//           remapped, or reached through more translation. Each read carries a launch's start and end, about 4 us: 0.2 % of 8 GiB.
//
// SASS-LABEL: Function : {{.*}}read_tile
// SASS-COUNT-8: LDG.E.128.STRONG.GPU
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT

#include <algorithm>

#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/stream_access.cuh"
#include "cuda/stream_run.hpp"
#include "cuda/stream_timer.hpp"

namespace {

using cuda::ClockWatch;
using cuda::Operation;
using cuda::StreamArrays;

constexpr unsigned kThreads = 256;
constexpr unsigned kLoads = 8;
constexpr int kReads = 2;  // timed, of each region
constexpr std::size_t kTileBytes = std::size_t{kThreads} * kLoads * sizeof(uint4);

__global__ void __launch_bounds__(kThreads)
    read_tile(StreamArrays arrays, bool checks, std::uint32_t* sum, ClockWatch* watch) {
  cuda::run_tile<cuda::Access<Operation::read, cuda::Hint::cg>, kLoads>(arrays, kThreads, checks,
                                                                        sum, watch);
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const auto regions = static_cast<std::size_t>(point.number("regions"));
  const auto footprint = static_cast<std::size_t>(point.number("footprint"));
  std::byte* place = context.arena.place(footprint, 2 << 20, trial);
  const std::size_t tiles = footprint / regions / kTileBytes;
  const std::size_t region_vectors = tiles * kTileBytes / sizeof(uint4);
  const auto region_bytes = static_cast<double>(tiles * kTileBytes);
  const StreamArrays whole{.a = reinterpret_cast<uint4*>(place),
                           .vectors = regions * region_vectors};
  cuda::fill(whole, Operation::read, context.stream);

  cuda::DeviceBuffer<ClockWatch> watch(1);
  cuda::DeviceBuffer<std::uint32_t> sums(regions);
  const ClockWatch unseen{~0ULL, ~0ULL, 0, 0};
  cuda::upload<ClockWatch>({&unseen, 1}, watch.data(), context.stream);
  MICRO_CUDA_CHECK(cudaMemsetAsync(sums.data(), 0, sums.size_bytes(), context.stream));
  std::size_t region = 0;
  const auto read_next = [&](bool checks) {
    const StreamArrays one{.a = whole.a + region * region_vectors, .vectors = region_vectors};
    read_tile<<<static_cast<unsigned>(tiles), kThreads, 0, context.stream>>>(
        one, checks, sums.data() + region, watch.data());
    MICRO_CUDA_CHECK_LAUNCH("read_tile");
    region = (region + 1) % regions;
  };
  for (std::size_t i = 0; i < regions; ++i) read_next(true);
  std::vector<std::uint32_t> found(regions);
  cuda::download<std::uint32_t>(sums.data(), found, context.stream);
  cuda::upload<ClockWatch>({&unseen, 1}, watch.data(), context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  // Once more untimed: between the check and its comparison the device stood still.
  const std::vector<std::uint32_t> right =
      cuda::expected_sums(whole, static_cast<unsigned>(regions), 1, context.stream);
  read_next(false);
  region = 0;
  const std::vector<double> read_ns = cuda::time_launches(
      context.stream, kReads * static_cast<int>(regions), [&] { read_next(false); });
  ClockWatch seen{};
  cuda::download<ClockWatch>(watch.data(), {&seen, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  const std::string rate(core::unit::kBytesPerSecond);
  std::vector<double> bandwidths;
  core::Table table{
      .name = "regions", .unit = rate, .columns = {"arena_offset_bytes", "bandwidth_bytes_per_s"}};
  for (std::size_t i = 0; i < regions; ++i) {
    bandwidths.push_back(region_bytes / std::min(read_ns[i], read_ns[regions + i]) * 1e9);
    const auto offset = static_cast<double>(context.arena.offset_of(place));
    table.rows.push_back({offset + static_cast<double>(i) * region_bytes, bandwidths.back()});
  }
  return {.metrics = {{"median_region", rate, core::median(bandwidths)},
                      {"slowest_region", rate, *std::ranges::min_element(bandwidths)},
                      {"fastest_region", rate, *std::ranges::max_element(bandwidths)}},
          .columns = {{"pass", std::string(core::unit::kNanoseconds), read_ns}},
          .tables = {table},
          .time_ns = core::median(read_ns),
          .clock = cuda::clock_between({seen.first_cycles, seen.first_ns},
                                       {seen.last_cycles, seen.last_ns}),
          .facts = {{"region_size", std::string(core::unit::kBytes), region_bytes},
                    {"arena_offset", std::string(core::unit::kBytes),
                     static_cast<double>(context.arena.offset_of(place))}},
          .checks = {core::check("sums", found == right, "of every region, every element")}};
}

core::Cost cost(const core::Point& point, const core::Capacities&) {
  const double moved = 5 * static_cast<double>(point.number("footprint"));
  return {.memory_bytes = point.number("footprint"),
          .moved_bytes = moved,
          .seconds = 2e-3 + moved / 4e12};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = "memory_regions",
     .question = "whether all of the memory is read equally fast",
     .method = "each region read twice by 16-byte coalesced tiles, the better of the two; every "
               "byte counts once",
     .axes = {{.name = "level",
               .unit = "",
               .meaning = "whose ceiling bounds the figures",
               .words = {"hbm"},
               .automatic = {"hbm"}},
              {.name = "regions",
               .unit = "count",
               .meaning = "how many the footprint is cut into",
               .min = 2,
               .max = 256,
               .automatic = {"32"}},
              {.name = "footprint",
               .unit = "bytes",
               .meaning = "all regions together; at least 4 x l2",
               .min = std::int64_t{16} << 20,
               .max = std::int64_t{512} << 30,
               .multiple_of = 2 << 20,
               .automatic = {"0.5 x free_memory"}}},
     .skip =
         [](const core::Point& point, const core::Capacities& capacities) {
           return cuda::too_small_for_memory(point.number("footprint"), capacities);
         },
     .cost = cost},
    measure};

}  // namespace
