#pragma once
// Which of the visible devices `--device` means: pure, so that every text can be tested.

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cuda {

/// A device as CUDA shows it to this process, after CUDA_VISIBLE_DEVICES.
struct VisibleDevice {
  int ordinal = 0;
  std::string name;
  std::string uuid;  // "GPU-..." or "MIG-..."
  std::string pci;   // "0000:0a:00.0"
};

/// The ordinal that `wanted` names, or one line that says why none: index among the visible
/// devices, UUID (GPU-... or MIG-..., a prefix that only one has) or PCI id (domain and function
/// may be left out); empty: the first. Case does not matter.
std::variant<int, std::string> select_device(std::string_view wanted,
                                             std::span<const VisibleDevice> visible);

/// "0000:0a:00.0" from any of "0000:0A:00.0", "00000000:0a:00.0" (NVML), "0a:00.0", "0a:00"; empty
/// when it is none.
std::string normal_pci(std::string_view text);

}  // namespace cuda
