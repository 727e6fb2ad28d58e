#pragma once
// NVIDIA's management library, opened at run time and without its header: whoever has the driver
// has it, and nothing here needs it. Prototypes and numbers follow nvml.h's public interface.

#include <initializer_list>
#include <string>

namespace cuda {

using NvmlHandle = struct nvmlDevice_st*;

namespace nvml {
inline constexpr int kSuccess = 0;
inline constexpr int kFunctionNotFound = 13;
}  // namespace nvml

/// A function of the library that may be missing: then it answers kFunctionNotFound.
template <typename... Args>
class NvmlFunction {
 public:
  NvmlFunction() = default;
  explicit NvmlFunction(void* symbol) : function_(reinterpret_cast<int (*)(Args...)>(symbol)) {}
  int operator()(Args... args) const {
    return function_ == nullptr ? nvml::kFunctionNotFound : function_(args...);
  }
  explicit operator bool() const { return function_ != nullptr; }

 private:
  int (*function_)(Args...) = nullptr;
};

class NvmlLibrary {
 public:
  /// Opens and initialises; never throws.
  explicit NvmlLibrary(const char* file = "libnvidia-ml.so.1");
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;
  /// Shuts NVML down; the library stays open, because handles of it may be in use elsewhere.
  ~NvmlLibrary();
  /// The one of this process, opened at first use.
  static const NvmlLibrary& shared();

  bool usable() const { return refusal_.empty(); }
  /// Why it cannot be used: one line, or empty.
  const std::string& refusal() const { return refusal_; }

  /// The first of `names` that the library has: functions were renamed over time.
  template <typename... Args>
  NvmlFunction<Args...> function(std::initializer_list<const char*> names) const {
    return NvmlFunction<Args...>(symbol(names));
  }
  /// "Not Supported", as the library words it.
  std::string error_text(int code) const;

  /// nullptr when no device (board or MIG instance) has that UUID or PCI id.
  NvmlHandle handle_by_uuid(const std::string& uuid) const;
  NvmlHandle handle_by_pci(const std::string& pci) const;
  /// "580.95.05"; empty when not answered.
  std::string driver_version() const;

 private:
  void* symbol(std::initializer_list<const char*> names) const;

  void* library_ = nullptr;
  bool initialised_ = false;
  std::string refusal_;
};

}  // namespace cuda
