// Question: how many bytes per second memory moves when reads and writes are mixed, by the share of
//           reads.
// Method:   one tile a block, 16-byte coalesced accesses: each thread reads R times G elements of one array and writes W times G of
//           another, R to W being the mix and G the axis `groups`. Passes within a launch, by events behind a blocker. Every byte
//           read and every byte written counts once. What is written does not depend on what is read, so that
//           stores wait for no load.
// Holds when the sum over everything read and every element written are right.
// Flaws:    two streams in step; a program's writes often wait for its reads (copy and triad of bandwidth/global do). The best
//           of the groups is the figure, as the best number of accesses in flight differs with the mix.
//
// A tile has R x G loads and W x G stores, of each mix looked at with one group and with four: kernels by reads, writes, groups.
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi0ELi1E
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi0ELi1ELi4E
// SASS-COUNT-4: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi1ELi0E
// SASS-COUNT-1: LDG.E.128.STRONG.GPU
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi1ELi0ELi4E
// SASS-COUNT-4: LDG.E.128.STRONG.GPU
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi1ELi1E
// SASS-COUNT-1: LDG.E.128.STRONG.GPU
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi1ELi1ELi4E
// SASS-COUNT-4: LDG.E.128.STRONG.GPU
// SASS-COUNT-4: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi1ELi2E
// SASS-COUNT-1: LDG.E.128.STRONG.GPU
// SASS-COUNT-2: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi1ELi2ELi4E
// SASS-COUNT-4: LDG.E.128.STRONG.GPU
// SASS-COUNT-8: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi2ELi1E
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi2ELi1ELi4E
// SASS-COUNT-8: LDG.E.128.STRONG.GPU
// SASS-COUNT-4: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi4ELi1E
// SASS-COUNT-4: LDG.E.128.STRONG.GPU
// SASS-COUNT-1: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}mix{{.*}}ILi4ELi1ELi4E
// SASS-COUNT-16: LDG.E.128.STRONG.GPU
// SASS-COUNT-4: STG.E.128
// SASS-NOT: {{(LDG|STG).E.128}}
// SASS: EXIT

#include <algorithm>

#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/context.hpp"
#include "cuda/stream_access.cuh"
#include "cuda/stream_run.hpp"

namespace {

using cuda::Hint;
using cuda::Operation;
using cuda::StreamArrays;
using cuda::TileKernel;

constexpr unsigned kThreads = 256;

// Reads array a, writes array b; `vectors` of the arrays: of one share, of which a has kReads and b kWrites. Whole tiles.
template <int kReads, int kWrites, int kGroups>
__global__ void __launch_bounds__(kThreads)
    mix(StreamArrays arrays, bool checks, std::uint32_t* sum, cuda::ClockWatch* watch) {
  constexpr int kLoads = kReads * kGroups;
  constexpr int kStores = kWrites * kGroups;
  const auto* a = reinterpret_cast<const cuda::Words<4>*>(arrays.a);
  auto* b = reinterpret_cast<cuda::Words<4>*>(arrays.b);
  const std::uint64_t read_from = blockIdx.x * std::uint64_t{kThreads * kLoads} + threadIdx.x;
  const std::uint64_t write_from = blockIdx.x * std::uint64_t{kThreads * kStores} + threadIdx.x;
  cuda::Words<4> read[kLoads > 0 ? kLoads : 1];
#pragma unroll
  for (int u = 0; u < kLoads; ++u) read[u] = cuda::load<Hint::cg>(a + read_from + u * kThreads);
#pragma unroll
  for (int u = 0; u < kStores; ++u) {
    const std::uint64_t i = write_from + u * kThreads;
    cuda::store<Hint::cg>(b + i, cuda::pattern_words<4>(i));
  }
  cuda::look_at_clock(watch);
  if constexpr (kLoads > 0) {
    std::uint32_t total = 0;
#pragma unroll
    for (int u = 0; u < kLoads; ++u)
      total += read[u].word[0] + read[u].word[1] + read[u].word[2] + read[u].word[3];
    if (checks || total == 0x5bd1e995U) atomicAdd(sum, total);
  }
}

struct Mix {
  std::int64_t read_percent;
  int reads;
  int writes;
  TileKernel* kernels[3];  // of 1, 2, 4 groups
};
template <int kReads, int kWrites>
constexpr Mix mix_of(std::int64_t read_percent) {
  return {read_percent,
          kReads,
          kWrites,
          {mix<kReads, kWrites, 1>, mix<kReads, kWrites, 2>, mix<kReads, kWrites, 4>}};
}

const Mix& mix_for(std::int64_t read_percent) {
  static const Mix mixes[] = {mix_of<1, 0>(100), mix_of<4, 1>(80), mix_of<2, 1>(67),
                              mix_of<1, 1>(50),  mix_of<1, 2>(33), mix_of<0, 1>(0)};
  const auto* at = std::ranges::find(mixes, read_percent, &Mix::read_percent);
  if (at == std::end(mixes)) throw core::MeasureError("no such share of reads");
  return *at;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const Mix& mix = mix_for(point.number("read_share"));
  const auto groups = static_cast<unsigned>(point.number("groups"));
  const auto footprint = static_cast<std::uint64_t>(point.number("footprint"));
  std::byte* place = context.arena.place(footprint, 2 << 20, trial);
  // Shares of equal size, whole tiles.
  const std::uint64_t tile_bytes = std::uint64_t{kThreads} * groups * sizeof(uint4);
  const auto shares = static_cast<std::uint64_t>(mix.reads + mix.writes);
  const std::uint64_t tiles = footprint / shares / tile_bytes;
  const std::uint64_t share_vectors = tiles * kThreads * groups;
  const StreamArrays read{.a = reinterpret_cast<uint4*>(place),
                          .vectors = share_vectors * static_cast<unsigned>(mix.reads)};
  const StreamArrays written{.a = read.a + read.vectors,
                             .vectors = share_vectors * static_cast<unsigned>(mix.writes)};
  if (mix.reads > 0) cuda::fill(read, Operation::read, context.stream);
  if (mix.writes > 0) cuda::fill(written, Operation::write, context.stream);
  cuda::TileWork work{.arrays = {.a = read.a, .b = written.a, .vectors = share_vectors},
                      .blocks = tiles,
                      .bytes = static_cast<double>(tiles * tile_bytes * shares)};
  if (mix.reads > 0) work.sum = cuda::expected_sums(read, 1, 1, context.stream).front();
  const cuda::StreamTiming timing =
      cuda::run_tiles(context, work,
                      {.kernel = mix.kernels[groups == 4 ? 2 : groups - 1],
                       .threads = kThreads,
                       .loads = static_cast<unsigned>(shares) * groups});
  core::Samples samples = cuda::stream_samples(context, timing, place, work.bytes);
  if (mix.writes > 0)
    samples.checks.push_back(cuda::check_written(written, Operation::write, context.stream));
  return samples;
}

core::Cost cost(const core::Point& point, const core::Capacities&) {
  return cuda::memory_stream_cost(point, 4, 36e9);
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = "memory_mix",
     .question = "how many bytes per second memory moves by the share of reads",
     .method = "16-byte coalesced accesses far above the L2, independent reads and writes; every "
               "byte counts once",
     .axes = {cuda::memory_level_axis(),
              {.name = "read_share",
               .unit = "percent",
               .meaning = "of all bytes: 80, 67, 50, 33 stand for reads to writes as 4:1, 2:1, "
                          "1:1, 1:2",
               .allowed = {0, 33, 50, 67, 80, 100},
               .min = 0,
               .automatic = {"100", "80", "67", "50", "33", "0"}},
              {.name = "groups",
               .unit = "count",
               .meaning = "how often a thread has the mix in flight",
               .allowed = {1, 2, 4},
               .automatic = {"1", "2", "4"}},
              {.name = "footprint",
               .unit = "bytes",
               .meaning = "what is read and what is written together",
               .min = 1 << 20,
               .max = std::int64_t{512} << 30,
               .multiple_of = 128,
               .automatic = {"2GiB"}}},
     .skip = cuda::skip_unless_from_memory,
     .cost = cost},
    measure};

}  // namespace
