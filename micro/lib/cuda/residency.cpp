#include "cuda/residency.hpp"

#include <algorithm>

namespace cuda {
namespace {

constexpr int kWarpThreads = 32;
constexpr int kSubPartitions = 4;
constexpr int kRegisterUnit = 256;
constexpr std::size_t kSharedUnit = 128;

template <typename T>
T round_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

int ResidencyLimits::blocks() const {
  return std::min({by_registers, by_shared, by_threads, by_blocks});
}

ResidencyLimits residency_limits(const SmResources& sm, const BlockNeeds& block) {
  const int warps = round_up(block.threads, kWarpThreads) / kWarpThreads;
  const int warp_registers =
      round_up(std::max(1, block.registers_per_thread) * kWarpThreads, kRegisterUnit);
  const int warps_by_registers = sm.registers / kSubPartitions / warp_registers * kSubPartitions;
  const std::size_t shared = round_up(block.shared_bytes + sm.reserved_shared_bytes, kSharedUnit);
  return {.by_registers = warps_by_registers / warps,
          .by_shared = shared == 0 ? sm.blocks : static_cast<int>(sm.shared_bytes / shared),
          .by_threads = sm.threads / (warps * kWarpThreads),
          .by_blocks = sm.blocks};
}

}  // namespace cuda
