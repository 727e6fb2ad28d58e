#include "host/vector_width.hpp"

namespace host {
namespace {

bool supported(const std::string& extension) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (extension == "avx512f") return __builtin_cpu_supports("avx512f");
  if (extension == "avx2") return __builtin_cpu_supports("avx2");
#endif
  return extension == "baseline";
}

std::string widest_supported() {
  for (const char* extension : {"avx512f", "avx2"})
    if (supported(extension)) return extension;
  return "baseline";
}

std::string& in_use() {
  static std::string extension = widest_supported();
  return extension;
}

}  // namespace

const std::string& vector_extension() { return in_use(); }

bool use_vector_extension(const std::string& extension) {
  if (!extension.empty() && !supported(extension)) return false;
  in_use() = extension.empty() ? widest_supported() : extension;
  return true;
}

}  // namespace host
