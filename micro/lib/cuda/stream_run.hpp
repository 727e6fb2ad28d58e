#pragma once
// Running a stream kernel and timing it, in one of two ways.

#include <cstdint>
#include <vector>

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

/// One tile a block. `sum` takes the sum over everything read when `checks`.
using TileKernel = void(StreamArrays arrays, bool checks, std::uint32_t* sum, ClockWatch* watch);

template <typename Kernel>
struct StreamShape {
  Kernel* kernel;
  unsigned threads;            // a block
  unsigned loads;              // accesses in flight a thread
  unsigned blocks_per_sm = 0;  // rings only
  double about_bytes_per_cycle_per_sm =
      0;  // rings only: for how long the kernel runs, nothing else
};

struct StreamTiming {
  std::vector<double> pass_ns;
  double pass_bytes = 0;
  core::Clock clock = {};
  std::vector<core::Quantity> facts = {};  // shape, bytes of a pass, what ran before it untimed
  std::vector<core::Check> checks = {};    // of a read: its sums
  std::vector<double> sm_bytes_per_cycle = {};  // rings only, in the order of %smid
};

/// One cooperative launch, about two milliseconds to warm and as many timed, one pass. Fewer blocks where the
/// device cannot hold as many.
StreamTiming run_ring(const Context& context, const StreamArrays& arrays, Operation operation,
                      const StreamShape<RingKernel>& shape);

/// A launch that checks, then several timed ones behind a blocker, a pass each.
StreamTiming run_tiles(const Context& context, const StreamArrays& arrays, Operation operation,
                       const StreamShape<TileKernel>& shape);

}  // namespace cuda
