#include "cuda/nvml_library.hpp"

#include <dlfcn.h>

#include <array>

namespace cuda {
namespace {

constexpr unsigned kTextLength = 96;

}  // namespace

NvmlLibrary::NvmlLibrary(const char* file) : library_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) {
    const char* const why = dlerror();
    refusal_ = why != nullptr ? why : std::string(file) + " cannot be opened";
    return;
  }
  const int code = function<>({"nvmlInit_v2", "nvmlInit"})();
  initialised_ = code == nvml::kSuccess;
  if (!initialised_) {
    refusal_ = std::string(file) + " does not start: " + error_text(code);
  }
}

NvmlLibrary::~NvmlLibrary() {
  if (initialised_) {
    function<>({"nvmlShutdown"})();
  }
}

const NvmlLibrary& NvmlLibrary::shared() {
  static const NvmlLibrary library;
  return library;
}

void* NvmlLibrary::symbol(std::initializer_list<const char*> names) const {
  for (const char* const name : names) {
    if (void* const found = library_ == nullptr ? nullptr : dlsym(library_, name)) {
      return found;
    }
  }
  return nullptr;
}

std::string NvmlLibrary::error_text(int code) const {
  using ErrorString = const char*(int);
  auto* const text = reinterpret_cast<ErrorString*>(symbol({"nvmlErrorString"}));
  if (code == nvml::kFunctionNotFound || text == nullptr || text(code) == nullptr) {
    return code == nvml::kFunctionNotFound ? "this driver's NVML lacks the function"
                                           : "NVML error " + std::to_string(code);
  }
  return text(code);
}

NvmlHandle NvmlLibrary::handle_by_uuid(const std::string& uuid) const {
  NvmlHandle handle = nullptr;
  const auto get = function<const char*, NvmlHandle*>({"nvmlDeviceGetHandleByUUID"});
  return usable() && get(uuid.c_str(), &handle) == nvml::kSuccess ? handle : nullptr;
}

NvmlHandle NvmlLibrary::handle_by_pci(const std::string& pci) const {
  NvmlHandle handle = nullptr;
  const auto get = function<const char*, NvmlHandle*>(
      {"nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId"});
  return usable() && get(pci.c_str(), &handle) == nvml::kSuccess ? handle : nullptr;
}

std::string NvmlLibrary::driver_version() const {
  std::array<char, kTextLength> text{};
  const auto get = function<char*, unsigned>({"nvmlSystemGetDriverVersion"});
  return usable() && get(text.data(), kTextLength) == nvml::kSuccess ? text.data() : "";
}

}  // namespace cuda
