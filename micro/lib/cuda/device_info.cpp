#include "cuda/device_info.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "core/error.hpp"
#include "cuda/availability.hpp"
#include "cuda/compute_capability.hpp"
#include "cuda/driver.hpp"
#include "cuda/nvml_library.hpp"
#include "cuda/uuid.hpp"

namespace cuda {
namespace {

constexpr int kPciIdLength = 32;
constexpr double kHertzPerKilohertz = 1e3;

void check_property(cudaError_t error, int ordinal) {
  if (error != cudaSuccess) {
    throw core::UnavailableError(context_refusal(error, fmt::format("{}", ordinal), 0));
  }
}

int attribute(cudaDeviceAttr which, int ordinal) {
  int value = 0;
  check_property(cudaDeviceGetAttribute(&value, which, ordinal), ordinal);
  return value;
}

std::size_t size_attribute(cudaDeviceAttr which, int ordinal) {
  return static_cast<std::size_t>(attribute(which, ordinal));
}

/// CUDA gives 16 bytes and not whether they name a board or a MIG instance. NVML knows both by
/// their full names; without NVML, a MIG instance must have been asked for by name.
std::string uuid_text(const std::string& digits) {
  const NvmlLibrary& nvml = NvmlLibrary::shared();
  if (nvml.usable()) {
    return nvml.handle_by_uuid("MIG-" + digits) != nullptr ? "MIG-" + digits : "GPU-" + digits;
  }
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const bool mig =
      visible != nullptr && std::string_view(visible).find("MIG-") != std::string_view::npos;
  return (mig ? "MIG-" : "GPU-") + digits;
}

VisibleDevice visible_device(int ordinal) {
  cudaDeviceProp properties{};
  check_property(cudaGetDeviceProperties(&properties, ordinal), ordinal);
  std::array<char, kPciIdLength> pci{};
  check_property(cudaDeviceGetPCIBusId(pci.data(), kPciIdLength, ordinal), ordinal);
  std::string digits = driver_uuid(ordinal);
  if (digits.empty()) {
    digits = uuid_digits(std::span<const char, 16>(properties.uuid.bytes));
  }
  return {.ordinal = ordinal,
          .name = properties.name,
          .uuid = uuid_text(digits),
          .pci = normal_pci(pci.data())};
}

}  // namespace

std::vector<VisibleDevice> visible_devices() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    cudaGetLastError();
    throw core::UnavailableError(count_refusal(error, std::getenv("CUDA_VISIBLE_DEVICES")));
  }
  std::vector<VisibleDevice> all;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    all.push_back(visible_device(ordinal));
  }
  return all;
}

DeviceInfo query_device(int ordinal) {
  const VisibleDevice visible = visible_device(ordinal);
  DeviceInfo device{
      .ordinal = ordinal, .name = visible.name, .uuid = visible.uuid, .pci = visible.pci};
  device.is_mig = visible.uuid.starts_with("MIG-");
  device.compute_major = attribute(cudaDevAttrComputeCapabilityMajor, ordinal);
  device.compute_minor = attribute(cudaDevAttrComputeCapabilityMinor, ordinal);
  device.sm_count = attribute(cudaDevAttrMultiProcessorCount, ordinal);
  device.max_threads_per_sm = attribute(cudaDevAttrMaxThreadsPerMultiProcessor, ordinal);
  device.max_blocks_per_sm = attribute(cudaDevAttrMaxBlocksPerMultiprocessor, ordinal);
  device.l2_bytes = size_attribute(cudaDevAttrL2CacheSize, ordinal);
  device.shared_per_sm_bytes = size_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, ordinal);
  device.shared_per_block_optin_bytes =
      size_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, ordinal);
  device.registers_per_sm_bytes =
      size_attribute(cudaDevAttrMaxRegistersPerMultiprocessor, ordinal) * 4;
  device.memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, ordinal);
  device.memory_clock_hertz = attribute(cudaDevAttrMemoryClockRate, ordinal) * kHertzPerKilohertz;
  device.max_sm_clock_hertz = attribute(cudaDevAttrClockRate, ordinal) * kHertzPerKilohertz;
  device.compute_mode = attribute(cudaDevAttrComputeMode, ordinal);
  if (const auto facts = capability_facts(device.compute_major, device.compute_minor)) {
    device.l1_array_bytes = facts->l1_array_bytes;
    device.l1_bytes = facts->l1_array_bytes - facts->smallest_carveout_bytes;
  }
  // What is free counts the context, so that it must exist. A context is made by the first call
  // that needs one.
  cudaError_t error = cudaSetDevice(ordinal);
  if (error == cudaSuccess) {
    error = cudaFree(nullptr);
  }
  if (error == cudaSuccess) {
    error = cudaMemGetInfo(&device.free_memory_bytes, &device.memory_bytes);
  }
  if (error != cudaSuccess) {
    cudaGetLastError();
    throw core::UnavailableError(context_refusal(
        error, fmt::format("{} {} {}", ordinal, device.name, device.uuid), device.compute_mode));
  }
  return device;
}

}  // namespace cuda
