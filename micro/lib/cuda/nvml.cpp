#include "cuda/nvml.hpp"

namespace cuda {

NvmlDevice::NvmlDevice(const NvmlLibrary& library, const std::string& uuid, const std::string& pci)
    : library_(&library), refusal_(library.refusal()) {
  if (!refusal_.empty()) {
    return;
  }
  board_ = library.handle_by_uuid(uuid);
  is_mig_ = uuid.starts_with("MIG-");
  if (board_ != nullptr && is_mig_) {
    NvmlHandle parent = nullptr;
    const auto get =
        library.function<NvmlHandle, NvmlHandle*>({"nvmlDeviceGetDeviceHandleFromMigDeviceHandle"});
    board_ = get(board_, &parent) == nvml::kSuccess ? parent : nullptr;
  }
  if (board_ == nullptr) {
    board_ = library.handle_by_pci(pci);
  }
  if (board_ == nullptr) {
    refusal_ = "NVML knows no device with UUID " + uuid + " or PCI id " + pci;
  }
}

}  // namespace cuda
