#pragma once
// What one access of a warp to shared memory costs, from the addresses of its lanes alone.

#include <cstdint>
#include <string_view>

namespace cuda {

inline constexpr int kLanes = 32;
inline constexpr int kBanks = 32;
inline constexpr int kBankBytes = 4;

/// Byte offset of each lane's element.
struct LaneOffsets {
  std::uint32_t of_lane[kLanes];

  bool operator==(const LaneOffsets&) const = default;
};

/// Lanes that one wavefront can serve together when they ask for `width_bytes` (4, 8, 16) each: the
/// whole warp, a half, a quarter.
constexpr int lanes_a_phase(std::int64_t width_bytes) {
  return kLanes / static_cast<int>(width_bytes / kBankBytes);
}

/// Lane l at element l x `stride`; 0: all at one.
LaneOffsets strided(std::int64_t stride, std::int64_t width_bytes);

/// `ways` lanes of a phase in different rows of the same banks, the next `ways` in the next banks, every phase in
/// rows of its own. 1 to lanes_a_phase(width_bytes).
LaneOffsets conflicting(std::int64_t ways, std::int64_t width_bytes);

/// Wavefronts of one request: a wavefront takes one row of each bank, equal words are served together.
/// The phases of a wide request follow each other, each as long as its busiest bank; phases that ask for the
/// same words are one. (CUDA programming guide, shared memory of compute capability 5.x and later.)
int wavefronts(const LaneOffsets& offsets, std::int64_t width_bytes);

/// Cycles of the SM a request when many are under way: a wavefront a cycle, and no less than its registers
/// take to be written, eight bytes a lane and cycle. The second was found here (H200): a broadcast of 16
/// bytes is one wavefront and costs two cycles.
int saturated_cycles(const LaneOffsets& offsets, std::int64_t width_bytes);

}  // namespace cuda
