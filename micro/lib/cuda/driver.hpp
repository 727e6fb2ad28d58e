#pragma once
// The driver library, opened at run time: no driver and an old driver are told apart here, because
// the static runtime answers the same error for both.

#include <optional>
#include <string>

namespace cuda {

/// cuDriverGetVersion's form: 1000 x major + 10 x minor.
struct DriverProbe {
  int version = 0;         // 0: no driver
  std::string error = {};  // why there is none, as the dynamic linker or the driver says
};

/// Opens libcuda.so.1 (and keeps it open) and asks for its version. Never throws, makes no context.
DriverProbe probe_driver();

/// Empty when a driver of that version runs a program linked with that runtime, else one line with
/// the remedy. Rule: minor-version compatibility, the same major version suffices
/// (docs.nvidia.com/deploy/cuda-compatibility).
std::string driver_refusal(const DriverProbe& driver, int runtime_version);

/// The oldest driver branch that runs a runtime of that version: "r580" for CUDA 13.x.
std::string oldest_driver(int runtime_version);

/// 13000 -> "13.0"
std::string version_text(int version);

/// cuDeviceGetUuid_v2, which names a MIG instance where the runtime's property may name the whole
/// board: digits with dashes, without the prefix; empty when not answered.
std::string driver_uuid(int ordinal);

/// cuModuleGetLoadingMode: "eager" or "lazy"; empty when not answered.
std::string module_loading();

}  // namespace cuda
