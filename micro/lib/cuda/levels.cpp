#include "cuda/levels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cuda/compute_capability.hpp"

namespace cuda {
namespace {

constexpr double kSharedBytesPerCycle = 32 * 4;
constexpr double kL1BytesPerCycle = 128;
constexpr double kBitsPerPinAndClock = 2;

// What a run needs beside its largest point: room to move the point in, and the small buffers of the probes.
constexpr std::size_t kReserveBytes = std::size_t{256} << 20;

std::int64_t whole(std::size_t bytes) { return static_cast<std::int64_t>(bytes); }

std::string l1_source(const DeviceInfo& device) {
  if (device.l1_array_bytes == 0) {
    return fmt::format("not known for compute capability {}.{}", device.compute_major,
                       device.compute_minor);
  }
  return fmt::format("{} KiB array less the smallest carve-out of {} KiB: {}",
                     device.l1_array_bytes / 1024, (device.l1_array_bytes - device.l1_bytes) / 1024,
                     kCapabilityFactsSource);
}

core::Level registers(const DeviceInfo& device) {
  const auto facts = capability_facts(device.compute_major, device.compute_minor);
  core::Level level{.name = "Registers",
                    .scope = "SM",
                    .family = core::Family::operand,
                    .stated_capacity_bytes = whole(device.registers_per_sm_bytes),
                    .stated_by = "cudaDevAttrMaxRegistersPerMultiprocessor x 4"};
  if (facts) {
    level.ceiling_operations_per_cycle_per_sm = facts->fma_lanes_per_cycle;
    level.ceiling_source = fmt::format("{} 32-bit fused multiply-adds a clock and SM: {}",
                                       facts->fma_lanes_per_cycle, kCapabilityFactsSource);
  } else {
    level.ceiling_source = fmt::format("not known for compute capability {}.{}",
                                       device.compute_major, device.compute_minor);
  }
  return level;
}

core::Level memory(const DeviceInfo& device) {
  const auto facts = capability_facts(device.compute_major, device.compute_minor);
  core::Level level{.name = !facts || facts->has_hbm ? "HBM" : "DRAM",
                    .scope = "GPU",
                    .family = core::Family::memory,
                    .stated_capacity_bytes = whole(device.memory_bytes),
                    .stated_by = "cudaMemGetInfo",
                    .reached_by = "cg",
                    .ceiling_bytes_per_s = pin_rate_bytes_per_s(device)};
  level.ceiling_source =
      level.ceiling_bytes_per_s > 0
          ? fmt::format(
                "pin rate: {:.0f} MHz memory clock x 2 x {} bits / 8, as the driver reports",
                device.memory_clock_hertz / 1e6, device.memory_bus_bits)
          : "none known: the driver does not report memory clock and bus width";
  return level;
}

}  // namespace

double pin_rate_bytes_per_s(const DeviceInfo& device) {
  return device.memory_clock_hertz * kBitsPerPinAndClock * device.memory_bus_bits / 8;
}

std::vector<core::Level> device_levels(const DeviceInfo& device) {
  return {
      registers(device),
      {.name = "Shared",
       .scope = "SM",
       .family = core::Family::scratchpad,
       .stated_capacity_bytes = whole(device.shared_per_block_optin_bytes),
       .stated_by = "cudaDevAttrMaxSharedMemoryPerBlockOptin",
       .ceiling_bytes_per_cycle_per_sm = kSharedBytesPerCycle,
       .ceiling_source = "32 banks x 4 bytes a clock and SM"},
      {.name = "L1",
       .scope = "SM",
       .family = core::Family::cache,
       .stated_capacity_bytes = whole(device.l1_bytes),
       .stated_by = l1_source(device),
       .reached_by = "ca",
       .ceiling_bytes_per_cycle_per_sm = kL1BytesPerCycle,
       .ceiling_source = "one line of 128 bytes a clock and SM: the array that shared memory's 32 "
                         "banks x 4 bytes are part of"},
      {.name = "L2",
       .scope = "GPU",
       .family = core::Family::cache,
       .stated_capacity_bytes = whole(device.l2_bytes),
       .stated_by = "cudaDevAttrL2CacheSize",
       .reached_by = "cg",
       .ceiling_source = "none known: no API reports the number of slices or the L2's own clock"},
      memory(device),
  };
}

core::Capacities device_capacities(const DeviceInfo& device) {
  core::Capacities capacities{
      {"l2", whole(device.l2_bytes)},
      {"shared", whole(device.shared_per_block_optin_bytes)},
      {"memory", whole(device.memory_bytes)},
      {"free_memory",
       whole(device.free_memory_bytes - std::min(device.free_memory_bytes, kReserveBytes))},
      {"sm_count", device.sm_count},
  };
  if (device.l1_bytes > 0) {
    capacities.set("l1", whole(device.l1_bytes));
    capacities.set("l1_total", whole(device.l1_bytes) * device.sm_count);
  }
  return capacities;
}

}  // namespace cuda
