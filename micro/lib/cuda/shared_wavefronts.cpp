#include "cuda/shared_wavefronts.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace cuda {
namespace {

using Words = std::set<std::uint32_t>;

// Distinct words that the lanes of a phase ask for.
Words words_of(const LaneOffsets& offsets, int first, int lanes, std::int64_t width_bytes) {
  Words words;
  for (int lane = first; lane < first + lanes; ++lane)
    for (std::uint32_t byte = 0; byte < width_bytes; byte += kBankBytes)
      words.insert((offsets.of_lane[lane] + byte) / kBankBytes);
  return words;
}

int busiest_bank(const Words& words) {
  std::array<int, kBanks> rows{};
  for (const std::uint32_t word : words) ++rows[word % kBanks];
  return *std::ranges::max_element(rows);
}

}  // namespace

LaneOffsets strided(std::int64_t stride, std::int64_t width_bytes) {
  LaneOffsets offsets;
  for (int lane = 0; lane < kLanes; ++lane)
    offsets.of_lane[lane] = static_cast<std::uint32_t>(lane * stride * width_bytes);
  return offsets;
}

LaneOffsets conflicting(std::int64_t ways, std::int64_t width_bytes) {
  constexpr std::uint32_t kRowBytes = kBanks * kBankBytes;
  const auto lanes = static_cast<std::uint32_t>(lanes_a_phase(width_bytes));
  const auto rows = static_cast<std::uint32_t>(ways);
  LaneOffsets offsets;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t in_phase = lane % lanes;
    const std::uint32_t row = lane / lanes * rows + in_phase % rows;
    offsets.of_lane[lane] =
        row * kRowBytes + in_phase / rows * static_cast<std::uint32_t>(width_bytes);
  }
  return offsets;
}

int wavefronts(const LaneOffsets& offsets, std::int64_t width_bytes) {
  const int lanes = lanes_a_phase(width_bytes);
  std::set<Words> phases;
  for (int first = 0; first < kLanes; first += lanes)
    phases.insert(words_of(offsets, first, lanes, width_bytes));
  int total = 0;
  for (const Words& words : phases) total += busiest_bank(words);
  return total;
}

int saturated_cycles(const LaneOffsets& offsets, std::int64_t width_bytes) {
  constexpr std::int64_t kRegisterBytesACycle = 8;
  return std::max(wavefronts(offsets, width_bytes),
                  static_cast<int>(width_bytes / kRegisterBytesACycle));
}

}  // namespace cuda
