#include "cuda/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "cuda/uuid.hpp"

namespace cuda {
namespace {

struct Library {
  void* handle = nullptr;
  std::string error = {};
};

Library open_driver() {
  void* const handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  const char* const why = handle == nullptr ? dlerror() : nullptr;
  return {.handle = handle, .error = why != nullptr ? why : ""};
}

// Never closed: the runtime holds the same library.
const Library& driver_library() {
  static const Library library = open_driver();
  return library;
}

template <typename Function>
Function* driver_symbol(const char* name) {
  void* const handle = driver_library().handle;
  return handle == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle, name));
}

}  // namespace

DriverProbe probe_driver() {
  if (driver_library().handle == nullptr) {
    return {.error = driver_library().error};
  }
  auto* const get_version = driver_symbol<int(int*)>("cuDriverGetVersion");
  int version = 0;
  if (get_version == nullptr || get_version(&version) != 0 || version <= 0) {
    return {.error = "libcuda.so.1 does not say its version"};
  }
  return {.version = version};
}

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string oldest_driver(int runtime_version) {
  switch (runtime_version / 1000) {
    case 11:
      return "r450";
    case 12:
      return "r525";
    case 13:
      return "r580";
    default:
      return "the one that came with CUDA " + version_text(runtime_version / 1000 * 1000);
  }
}

std::string driver_refusal(const DriverProbe& driver, int runtime_version) {
  const std::string oldest = oldest_driver(runtime_version);
  if (driver.version == 0) {
    return fmt::format(
        "no NVIDIA driver here ({}): install driver {} or newer, or, in a container, start it with "
        "the GPUs passed through (docker: --gpus all)",
        driver.error, oldest);
  }
  if (driver.version / 1000 < runtime_version / 1000) {
    return fmt::format(
        "the NVIDIA driver is too old: it supports CUDA {}, and this program was built with CUDA "
        "{}: "
        "install driver {} or newer, or build with CUDA {}.x",
        version_text(driver.version), version_text(runtime_version), oldest, driver.version / 1000);
  }
  return {};
}

std::string driver_uuid(int ordinal) {
  using Device = int;
  auto* const init = driver_symbol<int(unsigned)>("cuInit");
  auto* const get = driver_symbol<int(Device*, int)>("cuDeviceGet");
  auto* const uuid = driver_symbol<int(unsigned char*, Device)>("cuDeviceGetUuid_v2");
  Device device = 0;
  std::array<unsigned char, 16> bytes{};
  if (init == nullptr || get == nullptr || uuid == nullptr || init(0) != 0 ||
      get(&device, ordinal) != 0 || uuid(bytes.data(), device) != 0) {
    return {};
  }
  return uuid_digits(std::span<const unsigned char, 16>(bytes));
}

std::string module_loading() {
  auto* const mode_of = driver_symbol<int(int*)>("cuModuleGetLoadingMode");
  int mode = 0;
  if (mode_of == nullptr || mode_of(&mode) != 0) {
    return {};
  }
  return mode == 1 ? "eager" : mode == 2 ? "lazy" : "";
}

}  // namespace cuda
