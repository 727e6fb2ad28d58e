#include "config/known_devices.hpp"

#include <algorithm>
#include <array>
#include <regex>

namespace config {
namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;

struct Stated {
  std::string key;
  std::string title;
  std::string name_pattern;
  std::int64_t l2_bytes;
  std::int64_t memory_bytes;
};

// The names end there: "H200 NVL" and a MIG instance ("H100 80GB HBM3 MIG 1g.10gb") are other devices.
// Both are compute capability 9.0 with 132 SMs (deviceQuery). L1 and shared memory share 256 KiB a
// SM; a block may have 227 KiB of shared memory; the smallest carve-out that holds the 1 KiB which
// the system reserves for a block is 8 KiB (CUDA programming guide, compute capability 9.x).
KnownDevice device(const Stated& stated) {
  constexpr std::int64_t kSmCount = 132;
  constexpr std::int64_t kL1Bytes = (256 - 8) * kKiB;
  return {.key = stated.key,
          .title = stated.title,
          .name_pattern = stated.name_pattern,
          .capacities = {{"l1", kL1Bytes},
                         {"l1_total", kSmCount * kL1Bytes},
                         {"l2", stated.l2_bytes},
                         {"shared", 227 * kKiB},
                         {"memory", stated.memory_bytes},
                         {"free_memory", stated.memory_bytes},
                         {"sm_count", kSmCount}}};
}

const std::array<KnownDevice, 2>& all() {
  static const std::array<KnownDevice, 2> devices = {
      // L2: cudaDeviceProp of an H100 SXM says 52,428,800. Memory: data sheet.
      device({.key = "h100",
              .title = "NVIDIA H100 SXM (80 GB)",
              .name_pattern = "\\bH100 80GB HBM3$",
              .l2_bytes = 50 * kMiB,
              .memory_bytes = 80'000'000'000}),
      // L2: a driver reports 62,914,560. Memory: data sheet.
      device({.key = "h200",
              .title = "NVIDIA H200 SXM (141 GB)",
              .name_pattern = "\\bH200$",
              .l2_bytes = 60 * kMiB,
              .memory_bytes = 141'000'000'000})};
  return devices;
}

}  // namespace

std::span<const KnownDevice> known_devices() { return all(); }

const KnownDevice* known_device(std::string_view key) {
  const auto at = std::ranges::find(all(), key, &KnownDevice::key);
  return at == all().end() ? nullptr : &*at;
}

const KnownDevice* known_device_named(std::string_view reported_name) {
  const std::string name(reported_name);
  const auto at = std::ranges::find_if(all(), [&](const KnownDevice& known) {
    return std::regex_search(name, std::regex(known.name_pattern));
  });
  return at == all().end() ? nullptr : &*at;
}

}  // namespace config
