#include "host/vector_width.hpp"

namespace host {

const std::string& vector_extension() {
  static const std::string extension = [] {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return "avx512f";
    if (__builtin_cpu_supports("avx2")) return "avx2";
#endif
    return "baseline";
  }();
  return extension;
}

}  // namespace host
