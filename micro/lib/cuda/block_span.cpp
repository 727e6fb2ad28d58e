#include "cuda/block_span.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"

namespace cuda {

GridSpan grid_span(std::span<const BlockSpan> blocks) {
  if (blocks.empty()) throw core::MeasureError("no block left its span");
  struct Sm {
    std::uint64_t first;
    std::uint64_t last;
    int blocks;
  };
  std::map<std::uint32_t, Sm> sms;
  std::uint64_t first_ns = blocks[0].start.ns;
  std::uint64_t last_ns = blocks[0].stop.ns;
  for (const BlockSpan& block : blocks) {
    first_ns = std::min(first_ns, block.start.ns);
    last_ns = std::max(last_ns, block.stop.ns);
    auto [at, is_new] = sms.try_emplace(block.smid, Sm{block.start.cycles, block.stop.cycles, 0});
    at->second.first = std::min(at->second.first, block.start.cycles);
    at->second.last = std::max(at->second.last, block.stop.cycles);
    ++at->second.blocks;
  }
  const BlockSpan& longest = *std::ranges::max_element(
      blocks, {}, [](const BlockSpan& b) { return b.stop.ns - b.start.ns; });
  GridSpan span{.ns = static_cast<double>(last_ns - first_ns),
                .clock = clock_between(longest.start, longest.stop)};
  for (const auto& [smid, sm] : sms) {
    span.sm_cycles.push_back(static_cast<double>(sm.last - sm.first));
    span.sm_blocks.push_back(sm.blocks);
    span.sm_ids.push_back(smid);
  }
  return span;
}

}  // namespace cuda
