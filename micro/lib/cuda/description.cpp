#include "cuda/description.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstdlib>
#include <exception>

#include "cuda/compute_capability.hpp"
#include "cuda/driver.hpp"
#include "cuda/fatbin.hpp"
#include "cuda/levels.hpp"
#include "cuda/warm_up.hpp"

namespace cuda {
namespace {

std::int64_t whole(std::size_t bytes) { return static_cast<std::int64_t>(bytes); }

std::string compute_mode_text(int mode) {
  switch (mode) {
    case cudaComputeModeDefault:
      return "default";
    case cudaComputeModeProhibited:
      return "prohibited";
    case cudaComputeModeExclusiveProcess:
      return "exclusive process";
    default:
      return fmt::format("{}", mode);
  }
}

core::Facts properties(const DeviceInfo& device) {
  core::Facts facts = {
      {"compute_capability", fmt::format("{}.{}", device.compute_major, device.compute_minor)},
      {"mig_instance", device.is_mig},
      {"sm_count", std::int64_t{device.sm_count}},
      {"max_threads_per_sm_count", std::int64_t{device.max_threads_per_sm}},
      {"max_blocks_per_sm_count", std::int64_t{device.max_blocks_per_sm}},
      {"registers_per_sm_bytes", whole(device.registers_per_sm_bytes)},
      {"shared_per_sm_bytes", whole(device.shared_per_sm_bytes)},
      {"shared_per_block_bytes", whole(device.shared_per_block_optin_bytes)},
      {"l2_bytes", whole(device.l2_bytes)},
      {"memory_bytes", whole(device.memory_bytes)},
      {"memory_bus_bits", std::int64_t{device.memory_bus_bits}},
      {"memory_clock_hertz", device.memory_clock_hertz},
      {"sm_clock_max_hertz", device.max_sm_clock_hertz},
  };
  if (device.l1_array_bytes > 0) {
    facts.push_back({"l1_array_bytes", whole(device.l1_array_bytes)});
    facts.push_back({"l1_bytes", whole(device.l1_bytes)});
    facts.push_back({"l1_source", std::string(kCapabilityFactsSource)});
  }
  return facts;
}

core::Facts explanations(const DeviceInfo& device) {
  core::Facts facts = {
      {"cuda_runtime", version_text(CUDART_VERSION)},
      {"cuda_driver_supports", version_text(probe_driver().version)},
      {"oldest_driver", oldest_driver(CUDART_VERSION)},
      {"cuda_compiler", compiler_version()},
      {"compute_mode", compute_mode_text(device.compute_mode)},
      {"device_ordinal", std::int64_t{device.ordinal}},
  };
  const core::Facts environment = environment_facts();
  facts.insert(facts.end(), environment.begin(), environment.end());
  return facts;
}

void add_machine_code(const DeviceInfo& device, core::Description& description) {
  try {
    const std::string program = own_program();
    const auto images = device_images(program);
    description.explanations.push_back({"cuda_architectures", architectures_text(images)});
    description.machine_code_sha256 =
        machine_code_sha256(images_for(images, device.compute_major, device.compute_minor));
    if (description.machine_code_sha256.empty()) {
      description.missing.push_back("machine_code_sha256: the program holds no kernel");
    }
  } catch (const std::exception& error) {
    description.missing.push_back(fmt::format("machine_code_sha256: {}", error.what()));
  }
}

}  // namespace

bool kernels_cut_short() { return std::getenv("MICRO_BRIEF") != nullptr; }

core::Facts environment_facts() {
  core::Facts facts;
  for (const auto& [name, variable] :
       {std::pair{"cuda_visible_devices", "CUDA_VISIBLE_DEVICES"},
        std::pair{"cuda_device_order", "CUDA_DEVICE_ORDER"},
        std::pair{"cuda_module_loading", "CUDA_MODULE_LOADING"},
        std::pair{"cuda_mps_pipe_directory", "CUDA_MPS_PIPE_DIRECTORY"}}) {
    const char* const value = std::getenv(variable);
    facts.push_back({name, std::string(value != nullptr ? value : "not set")});
  }
  facts.push_back({"kernels_cut_short", kernels_cut_short()});
  // A profiler or a sanitizer: launches are timed without the kernel that holds the stream.
  facts.push_back({"tool_injected", std::getenv("CUDA_INJECTION64_PATH") != nullptr});
  return facts;
}

core::Description describe_device(const DeviceInfo& device) {
  core::Description description{.backend = "cuda",
                                .device = device.name,
                                .uuid = device.uuid,
                                .pci = device.pci,
                                .capacities = device_capacities(device),
                                .levels = device_levels(device),
                                .properties = properties(device),
                                .explanations = explanations(device)};
  if (device.l1_array_bytes == 0) {
    description.missing.push_back(fmt::format("l1: {} has no row for compute capability {}.{}",
                                              kCapabilityFactsSource, device.compute_major,
                                              device.compute_minor));
  }
  add_machine_code(device, description);
  return description;
}

}  // namespace cuda
