#include "cuda/compute_capability.hpp"

#include <algorithm>
#include <array>

namespace cuda {
namespace {

constexpr std::size_t kKiB = 1024;

struct Row {
  int major;
  int minor;
  CapabilityFacts facts;
};

constexpr std::array kRows = {
    Row{7, 0, {128 * kKiB, 8 * kKiB, 64, true}},    Row{7, 2, {128 * kKiB, 8 * kKiB, 64, false}},
    Row{7, 5, {96 * kKiB, 32 * kKiB, 64, false}},   Row{8, 0, {192 * kKiB, 8 * kKiB, 64, true}},
    Row{8, 6, {128 * kKiB, 8 * kKiB, 128, false}},  Row{8, 7, {192 * kKiB, 8 * kKiB, 128, false}},
    Row{8, 9, {128 * kKiB, 8 * kKiB, 128, false}},  Row{9, 0, {256 * kKiB, 8 * kKiB, 128, true}},
    Row{10, 0, {256 * kKiB, 8 * kKiB, 128, true}},  Row{10, 3, {256 * kKiB, 8 * kKiB, 128, true}},
    Row{12, 0, {128 * kKiB, 8 * kKiB, 128, false}},
};

}  // namespace

std::optional<CapabilityFacts> capability_facts(int major, int minor) {
  const auto row = std::ranges::find_if(
      kRows, [&](const Row& r) { return r.major == major && r.minor == minor; });
  return row == kRows.end() ? std::nullopt : std::optional(row->facts);
}

}  // namespace cuda
