// Question: which kernel reads, writes, copies or combines (triad) memory fastest: by bytes a thread
//           asks for at once, accesses in flight, block size, kernel shape and cache hint.
// Method:   the streams of bandwidth/global, each choice an axis. shape tile: one tile a block, passes within a launch, by events
//           behind a blocker; ring: resident blocks, each lap after lap over its own chunk, by the global timer. Every byte
//           read and every byte written counts once.
// Holds when sums and written elements are right, as in bandwidth/global, whose figures should be within 0.5 % of the best here.
// Flaws:    the best of many points is a little better than it is (noise has a highest value too); a hint is a hint, and
//           what it did in the caches is not seen here. Blocks of few bytes (narrow accesses, few loads) are limited by how
//           fast blocks start, which is part of the answer.
//
// Looked at are the tile with one access of each width (of copy and triad: of 4 bytes), those with many of 16 bytes, of reads and writes
// by hint, and the ring of one: the others are the same text with another count, and their data is checked where they run.
// OperationE0..E3 read, write, copy, triad; then words, loads, hint (E0 none, E2 cg, E3 streaming, E4 no_allocate).
// A bare label ends what was looked at before it, where the next kernel is not the next one looked at.
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE0ELi1E
// SASS-COUNT-1: LDG.E.STRONG.GPU
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE0ELi2E
// SASS-COUNT-1: LDG.E.64.STRONG.GPU
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE0ELi4E
// SASS-COUNT-1: LDG.E.128 R
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE0ELi4ELi8{{.*}}HintE2
// SASS-COUNT-8: LDG.E.128.STRONG.GPU
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE0ELi4ELi8{{.*}}HintE3
// SASS-COUNT-8: LDG.E.EF.128
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE0ELi4ELi8{{.*}}HintE4
// SASS-COUNT-8: LDG.E.NA.128
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE1ELi1E
// SASS-COUNT-1: STG.E desc
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE1ELi2E
// SASS-COUNT-1: STG.E.64 desc
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE1ELi4E
// SASS-COUNT-1: STG.E.128 desc
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE1ELi4ELi8{{.*}}HintE2
// SASS-COUNT-8: STG.E.128 desc
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE1ELi4ELi8{{.*}}HintE3
// SASS-COUNT-8: STG.E.EF.128 desc
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE1ELi4ELi8{{.*}}HintE4
// SASS-COUNT-8: STG.E.NA.128 desc
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE2E
// SASS-COUNT-1: LDG.E.STRONG.GPU
// SASS-COUNT-1: STG.E desc
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE2ELi4ELi8{{.*}}HintE2
// SASS-COUNT-8: LDG.E.128.STRONG.GPU
// SASS-COUNT-8: STG.E.128 desc
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE3E
// SASS-COUNT-2: LDG.E.STRONG.GPU
// SASS-COUNT-1: FFMA
// SASS: STG.E desc
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}tile{{.*}}OperationE3ELi4ELi2{{.*}}HintE2
// SASS-COUNT-4: LDG.E.128.STRONG.GPU
// SASS-COUNT-4: FFMA
// SASS: STG.E.128 desc
// SASS-COUNT-4: FFMA
// SASS: STG.E.128 desc
// SASS-NOT: {{(LDG|STG)\.E}}
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE0E
// SASS: BAR.SYNC
// SASS: LDG.E.STRONG.SYS
// SASS-COUNT-2: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: LDG.E.128.STRONG.GPU
// SASS: BRA
// SASS: LDG.E.128.STRONG.GPU
// SASS-NOT: {{(LDG|STG)\.E\.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE1E
// SASS: BAR.SYNC
// SASS: LDG.E.STRONG.SYS
// SASS-COUNT-2: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: STG.E.128
// SASS: BRA
// SASS: STG.E.128
// SASS-NOT: {{(LDG|STG)\.E\.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE2E
// SASS: BAR.SYNC
// SASS: LDG.E.STRONG.SYS
// SASS-COUNT-2: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: LDG.E.128.STRONG.GPU
// SASS: STG.E.128
// SASS: BRA
// SASS: LDG.E.128.STRONG.GPU
// SASS: STG.E.128
// SASS-NOT: {{(LDG|STG)\.E\.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function
// SASS-LABEL: Function : {{.*}}ring{{.*}}OperationE3E
// SASS: BAR.SYNC
// SASS: LDG.E.STRONG.SYS
// SASS-COUNT-2: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS-COUNT-4: FFMA
// SASS: STG.E.128
// SASS: BRA
// SASS-COUNT-2: LDG.E.128.STRONG.GPU
// SASS-COUNT-4: FFMA
// SASS: STG.E.128
// SASS-NOT: {{(LDG|STG)\.E\.128}}
// SASS: BAR.SYNC
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function

#include <algorithm>

#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/context.hpp"
#include "cuda/stream_access.cuh"
#include "cuda/stream_run.hpp"

namespace {

using cuda::BlockSpan;
using cuda::Hint;
using cuda::Operation;
using cuda::RingKernel;
using cuda::StreamArrays;
using cuda::TileKernel;

// A block of 1024 threads leaves each 64 registers, half of them for addresses.
constexpr bool fits_1024_threads(Operation op, int words, int loads) {
  return words * loads * (op == Operation::triad ? 2 : 1) < 32;
}

template <Operation op, int kWords, int kLoads>
constexpr int kMostThreads = fits_1024_threads(op, kWords, kLoads) ? 1024 : 512;

template <Operation op, int kWords, int kLoads, Hint hint>
__global__ void __launch_bounds__(kMostThreads<op, kWords, kLoads>)
    tile(StreamArrays arrays, bool checks, std::uint32_t* sum, cuda::ClockWatch* watch) {
  cuda::run_tile<cuda::Access<op, hint, kWords>, kLoads>(arrays, blockDim.x, checks, sum, watch);
}

constexpr int kRingThreads = 512;

template <Operation op, int kLoads>
__global__ void __launch_bounds__(kRingThreads, 1)
    ring(StreamArrays arrays, std::uint32_t warm_laps, std::uint32_t laps, std::uint32_t zero,
         BlockSpan* spans, std::uint32_t* sums, std::uint32_t* arrived) {
  cuda::run_laps<cuda::Access<op, Hint::cg>, kLoads>(
      arrays, cuda::chunk_of(arrays.vectors, blockIdx.x, gridDim.x), kRingThreads, warm_laps, laps,
      zero, spans, sums, arrived);
}

// Values of template arguments from values of axes: `call` is handed the one that equals `value` as a type. nullptr where none does.
template <auto... kChoices, typename Value, typename Call>
TileKernel* choose(Value value, Call&& call) {
  TileKernel* result = nullptr;
  ((value == kChoices ? void(result = call(std::integral_constant<Value, kChoices>{})) : void()),
   ...);
  return result;
}

template <typename T, T value>
using Constant = std::integral_constant<T, value>;

TileKernel* tile_for(Operation operation, int words, int loads, Hint hint) {
  using enum Operation;
  return choose<read, write, copy, triad>(operation, [&]<Operation op>(Constant<Operation, op>) {
    return choose<1, 2, 4>(words, [&]<int w>(Constant<int, w>) {
      return choose<1, 2, 4, 8>(loads, [&]<int l>(Constant<int, l>) -> TileKernel* {
        if constexpr (w == 4)
          return choose<Hint::none, Hint::cg, Hint::streaming, Hint::no_allocate>(
              hint, []<Hint h>(Constant<Hint, h>) -> TileKernel* { return tile<op, w, l, h>; });
        else
          return hint == Hint::cg ? tile<op, w, l, Hint::cg> : nullptr;
      });
    });
  });
}

template <int kLoads>
RingKernel* ring_of(Operation operation) {
  switch (operation) {
    case Operation::read:
      return ring<Operation::read, kLoads>;
    case Operation::write:
      return ring<Operation::write, kLoads>;
    case Operation::copy:
      return ring<Operation::copy, kLoads>;
    default:
      return ring<Operation::triad, kLoads>;
  }
}
RingKernel* ring_for(Operation operation, int loads) {
  return loads == 1   ? ring_of<1>(operation)
         : loads == 2 ? ring_of<2>(operation)
         : loads == 4 ? ring_of<4>(operation)
                      : ring_of<8>(operation);
}

Hint hint_from(const std::string& word) {
  return word == "none"        ? Hint::none
         : word == "streaming" ? Hint::streaming
         : word == "cg"        ? Hint::cg
                               : Hint::no_allocate;
}

constexpr unsigned kThreadsPerSm = 2048;  // as many blocks an SM as that needs, or fewer that fit
constexpr double kRingBytesPerCyclePerSm = 16;  // about; for how long it runs, nothing else

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const Operation operation = cuda::operation_from(point.word("operation"));
  const auto width = static_cast<unsigned>(point.number("width"));
  const auto loads = static_cast<unsigned>(point.number("loads"));
  const auto threads = static_cast<unsigned>(point.number("threads"));
  const auto footprint = static_cast<std::size_t>(point.number("footprint"));
  std::byte* place = context.arena.place(footprint, 2 << 20, trial);
  const StreamArrays arrays = cuda::lay_arrays(place, footprint, operation);
  cuda::fill(arrays, operation, context.stream);
  cuda::StreamTiming timing;
  if (point.word("shape") == "ring") {
    timing = cuda::run_ring(context, arrays, operation,
                            {ring_for(operation, static_cast<int>(loads)), threads, loads,
                             kThreadsPerSm / threads, kRingBytesPerCyclePerSm});
  } else {
    TileKernel* kernel = tile_for(operation, static_cast<int>(width / 4), static_cast<int>(loads),
                                  hint_from(point.word("hint")));
    if (kernel == nullptr) throw core::MeasureError("no kernel was made for this setting");
    timing = cuda::run_tiles(
        context, arrays, operation,
        {.kernel = kernel, .threads = threads, .loads = loads, .width_bytes = width});
  }
  core::Samples samples =
      cuda::stream_samples(context, timing, place, static_cast<double>(arrays.bytes(operation)));
  if (operation != Operation::read)
    samples.checks.push_back(cuda::check_written(arrays, operation, context.stream));
  return samples;
}

std::string refuse(const core::Point& point) {
  const bool is_plain = point.number("width") == 16 && point.word("hint") == "cg";
  if (point.word("shape") == "ring" && !(is_plain && point.number("threads") == kRingThreads))
    return "shape ring goes with width 16, hint cg and 512 threads";
  if (point.word("hint") != "cg" && point.number("width") != 16)
    return "hints other than cg go with width 16";
  if (point.number("threads") > 512 &&
      !fits_1024_threads(cuda::operation_from(point.word("operation")),
                         static_cast<int>(point.number("width") / 4),
                         static_cast<int>(point.number("loads"))))
    return "1024 threads have registers for less than 128 bytes in flight each; threads: 128, 256, "
           "512";
  return {};
}

core::Cost cost(const core::Point& point, const core::Capacities&) {
  return cuda::memory_stream_cost(point, 4, 36e9);
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = "memory_shape",
     .question = "which kernel moves most bytes per second to and from memory",
     .method = "coalesced streams far above the L2; every byte read and every byte written counts "
               "once",
     .axes = {cuda::memory_level_axis(),
              {.name = "operation",
               .unit = "",
               .meaning = "read a; write a; copy b = a; triad c = a + 3 b",
               .words = {"read", "write", "copy", "triad"},
               .automatic = {"read", "write", "copy", "triad"}},
              {.name = "width",
               .unit = "bytes",
               .meaning = "bytes a thread asks for at once",
               .allowed = {4, 8, 16},
               .automatic = {"16B"}},
              {.name = "loads",
               .unit = "count",
               .meaning = "accesses in flight a thread",
               .allowed = {1, 2, 4, 8},
               .automatic = {"1", "2", "4", "8"}},
              {.name = "threads",
               .unit = "count",
               .meaning = "threads a block",
               .allowed = {128, 256, 512, 1024},
               .automatic = {"256"}},
              {.name = "shape",
               .unit = "",
               .meaning =
                   "tile: one tile a block; ring: resident blocks, lap after lap over a chunk",
               .words = {"tile", "ring"},
               .automatic = {"tile"}},
              {.name = "hint",
               .unit = "",
               .meaning = "of loads and stores: cg in L2 only; none; streaming (.cs) first to be "
                          "evicted; no_allocate (.L1::no_allocate)",
               .words = {"cg", "none", "streaming", "no_allocate"},
               .automatic = {"cg"}},
              {.name = "footprint",
               .unit = "bytes",
               .meaning = "all arrays together",
               .min = 1 << 20,
               .max = std::int64_t{512} << 30,
               .multiple_of = 128,
               .automatic = {"2GiB"}}},
     .refuse = refuse,
     .skip = cuda::skip_unless_from_memory,
     .cost = cost},
    measure};

}  // namespace
