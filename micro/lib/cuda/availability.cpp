#include "cuda/availability.hpp"

#include <fmt/format.h>

#include "cuda/driver.hpp"

namespace cuda {
namespace {

std::string name_and_text(cudaError_t error) {
  return fmt::format("{} ({}, {})", cudaGetErrorName(error), static_cast<int>(error),
                     cudaGetErrorString(error));
}

}  // namespace

std::string count_refusal(cudaError_t error, const char* visible) {
  switch (error) {
    case cudaErrorNoDevice:
      if (visible != nullptr) {
        return fmt::format(
            "CUDA_VISIBLE_DEVICES='{}' leaves no GPU visible: unset it, or name one that "
            "nvidia-smi -L lists",
            visible);
      }
      return "the NVIDIA driver sees no GPU: look at nvidia-smi -L, or, in a container, start it "
             "with the GPUs passed through (docker: --gpus all)";
    case cudaErrorInsufficientDriver:
      return name_and_text(error) + ": install driver " + oldest_driver(CUDART_VERSION) +
             " or newer";
    case cudaErrorSystemNotReady:
      return name_and_text(error) +
             ": on NVSwitch machines start the fabric manager "
             "(systemctl start nvidia-fabricmanager)";
    case cudaErrorSystemDriverMismatch:
      return name_and_text(error) +
             ": the driver's library and kernel module differ in version: reboot, or reload the "
             "module, after a driver update";
    case cudaErrorDevicesUnavailable:
      return "every GPU is busy or may not be used (" + name_and_text(error) +
             "): wait for or end the processes that hold them (nvidia-smi lists them)";
    case cudaErrorCompatNotSupportedOnDevice:
      return name_and_text(error) +
             ": take the forward-compatibility folder (cuda-compat) out of LD_LIBRARY_PATH";
    default:
      return "CUDA does not start: " + name_and_text(error) + ": look at nvidia-smi and dmesg";
  }
}

std::string compute_mode_refusal(const std::string& device, int compute_mode) {
  if (compute_mode != cudaComputeModeProhibited) {
    return {};
  }
  return fmt::format(
      "device {} is in compute mode 'prohibited': ask its administrator for nvidia-smi -c DEFAULT, "
      "or choose another with --device",
      device);
}

std::string context_refusal(cudaError_t error, const std::string& device, int compute_mode) {
  if (error == cudaErrorDevicesUnavailable) {
    const bool exclusive = compute_mode == cudaComputeModeExclusiveProcess;
    return fmt::format(
        "device {} is busy ({}): wait for or end the process that holds it (nvidia-smi lists it), "
        "or choose another with --device",
        device,
        exclusive ? "compute mode 'exclusive process', and another process has it"
                  : name_and_text(error));
  }
  if (error == cudaErrorMemoryAllocation) {
    return fmt::format(
        "device {} has no memory left for a context: end the processes that hold it (nvidia-smi "
        "lists them), or choose another with --device",
        device);
  }
  return fmt::format("device {} cannot be used: {}: look at nvidia-smi and dmesg", device,
                     name_and_text(error));
}

std::string architecture_refusal(std::span<const DeviceImage> images, const std::string& device,
                                 int major, int minor) {
  if (!images_for(images, major, minor).empty()) {
    return {};
  }
  return fmt::format(
      "device {} has compute capability {}.{}, and this program has code for {} only: configure "
      "with -DCMAKE_CUDA_ARCHITECTURES={}{}",
      device, major, minor, architectures_text(images), major, minor);
}

}  // namespace cuda
