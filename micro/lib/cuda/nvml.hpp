#pragma once
// One device as NVML sees it. Found by UUID, then by PCI id, never by index: NVML and CUDA number
// devices differently.

#include <string>

#include "core/backend.hpp"
#include "cuda/nvml_library.hpp"

namespace cuda {

class NvmlDevice {
 public:
  NvmlDevice(const NvmlLibrary& library, const std::string& uuid, const std::string& pci);

  /// Why nothing can be asked: one line, or empty.
  const std::string& refusal() const { return refusal_; }
  const NvmlLibrary& library() const { return *library_; }
  /// The board; of a MIG instance its parent, because clocks, power and errors are the board's.
  NvmlHandle board() const { return board_; }
  bool is_mig() const { return is_mig_; }

 private:
  const NvmlLibrary* library_;
  NvmlHandle board_ = nullptr;
  bool is_mig_ = false;
  std::string refusal_;
};

/// Adds what NVML knows of the device: properties (what it is), explanations (what may change and
/// then explains), state (now). What cannot be read becomes an entry of `missing` with its reason.
void add_nvml_facts(const NvmlDevice& device, core::Description& description);

}  // namespace cuda
