// A driver's library that is there, and whose version and start the environment decides: STAND_IN_CUDA_VERSION is what it
// supports (12040: CUDA 12.4), STAND_IN_INIT what cuInit() returns. It has no device: the runtime library checks by secret
// means that a driver with one is NVIDIA's own.
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace {

int wish(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr ? std::atoi(value) : otherwise;
}

int not_found() { return 500; }

// What has no name in any header: there, and without a use.
int get_export_table(const void** found, const void*) {
  static std::array<const void*, 64> table;
  table.fill(reinterpret_cast<const void*>(not_found));
  table[0] = reinterpret_cast<const void*>(sizeof table);
  *found = table.data();
  return 0;
}

}  // namespace

extern "C" {

int cuDriverGetVersion(int* version) {
  *version = wish("STAND_IN_CUDA_VERSION", 99000);
  return 0;
}

int cuInit(unsigned) { return wish("STAND_IN_INIT", 0); }

int cuGetProcAddress_v2(const char* name, void** function, int, unsigned long long, int* status) {
  if (status != nullptr) *status = 0;
  const std::string_view wanted = name;
  *function = reinterpret_cast<void*>(not_found);
  if (wanted == "cuInit") *function = reinterpret_cast<void*>(cuInit);
  if (wanted == "cuDriverGetVersion") *function = reinterpret_cast<void*>(cuDriverGetVersion);
  if (wanted == "cuGetExportTable") *function = reinterpret_cast<void*>(get_export_table);
  if (wanted == "cuGetProcAddress") *function = reinterpret_cast<void*>(cuGetProcAddress_v2);
  return 0;
}

}  // extern "C"
