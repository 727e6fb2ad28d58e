#pragma once
// Running a stream kernel and timing it, in one of two ways.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/capacities.hpp"
#include "core/probe_spec.hpp"
#include "core/samples.hpp"
#include "cuda/block_span.hpp"
#include "cuda/context.hpp"
#include "cuda/stream_arrays.hpp"

namespace cuda {

/// First and last look at the clocks of SM 0 over many launches. Initialised to {~0, ~0, 0, 0}.
struct ClockWatch {
  unsigned long long first_cycles;
  unsigned long long first_ns;
  unsigned long long last_cycles;
  unsigned long long last_ns;
};

/// Resident blocks, each lap after lap over its own chunk (chunk_of() in stream_arrays.cuh): first `warm_laps`, then, after all
/// blocks have arrived, `laps` timed ones. `zero` is 0. `sums` and `spans` have one entry a block; sums of other operations than
/// read stay 0.
using RingKernel = void(StreamArrays arrays, std::uint32_t warm_laps, std::uint32_t laps,
                        std::uint32_t zero, BlockSpan* spans, std::uint32_t* sums,
                        std::uint32_t* arrived);

/// One tile a block; a row of blocks (gridDim.x) is a pass, and there may be several (gridDim.y). `sum` takes the sum over everything
/// read when `checks`.
using TileKernel = void(StreamArrays arrays, bool checks, std::uint32_t* sum, ClockWatch* watch);

template <typename Kernel>
struct StreamShape {
  Kernel* kernel;
  unsigned threads;            // a block
  unsigned loads;              // accesses in flight a thread
  unsigned blocks_per_sm = 0;  // rings only
  double about_bytes_per_cycle_per_sm =
      0;                      // rings only: for how long the kernel runs, nothing else
  unsigned width_bytes = 16;  // of an access
};

/// How the blocks of a ring share the arrays and the device.
struct RingSpread {
  bool whole_each = false;  // every block walks all of it; else a chunk of its own
  unsigned blocks = 0;      // 0: as many as fit on all SMs
};

struct StreamTiming {
  std::vector<double> pass_ns;
  double pass_bytes = 0;
  core::Clock clock = {};
  std::vector<core::Quantity> facts = {};  // shape, bytes of a pass, what ran before it untimed
  std::vector<core::Check> checks = {};    // of a read: its sums
  std::vector<double> sm_bytes_per_cycle = {};  // rings only, in the order of sm_ids
  std::vector<double> sm_ids = {};              // rings only: %smid of those that ran blocks

  double bytes_per_s() const;  // of the median pass
};

/// One cooperative launch, about two milliseconds to warm and as many timed, one pass. Fewer blocks where the
/// device cannot hold as many.
StreamTiming run_ring(const Context& context, const StreamArrays& arrays, Operation operation,
                      const StreamShape<RingKernel>& shape, const RingSpread& spread = {});

/// What tiles cover in a pass.
struct TileWork {
  StreamArrays arrays;  // as the kernel takes them
  std::uint64_t blocks = 0;
  double bytes = 0;                       // declared
  std::optional<std::uint32_t> sum = {};  // over everything read, where the kernel reports it
};

/// A launch that checks; then, behind a blocker, one to warm and three timed ones of about two milliseconds each: as many passes as fit, one
/// at least. Fewer where a single pass is longer. Between launches the device drains and fills again, about 4 us, which passes of
/// one launch do not.
StreamTiming run_tiles(const Context& context, const TileWork& work,
                       const StreamShape<TileKernel>& shape);
StreamTiming run_tiles(const Context& context, const StreamArrays& arrays, Operation operation,
                       const StreamShape<TileKernel>& shape);

/// The metric (bandwidth, bytes_per_s), the column `pass`, clock, facts and checks. `place` is in the arena; `walked_bytes` of it were used.
core::Samples stream_samples(const Context& context, const StreamTiming& timing,
                             const std::byte* place, double walked_bytes);

/// Why a stream over `footprint_bytes` would not be one from memory: part of it stays in the L2 below four times its size. Empty: it is.
std::string too_small_for_memory(std::int64_t footprint_bytes, const core::Capacities& capacities);

/// Of the probes of memory that may also run small, in the L2: the axis `level`, the reason for a skip where
/// level hbm is asked of less than four times the L2, and what a repetition takes: three passes to prepare, and
/// `passes` or `least_bytes` of them, whichever is more.
core::Axis memory_level_axis();
std::string skip_unless_from_memory(const core::Point& point, const core::Capacities& capacities);
core::Cost memory_stream_cost(const core::Point& point, double passes, double least_bytes);

}  // namespace cuda
