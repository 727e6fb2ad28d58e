#include "cuda/buffer.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "core/error.hpp"
#include "core/units.hpp"

namespace cuda {
namespace {

std::string asked_for(std::size_t bytes) {
  return " asked for: " + core::format_bytes(static_cast<std::int64_t>(bytes));
}

}  // namespace

void* allocate_device(std::size_t bytes) {
  void* place = nullptr;
  const cudaError_t error = cudaMalloc(&place, bytes);
  if (error != cudaSuccess) {
    throw_error(error, ("cudaMalloc," + asked_for(bytes)).c_str(), __FILE__, __LINE__);
  }
  return place;
}

void* allocate_pinned(std::size_t bytes) {
  void* place = nullptr;
  const cudaError_t error = cudaHostAlloc(&place, bytes, cudaHostAllocDefault);
  if (error != cudaSuccess) {
    throw_error(error, ("cudaHostAlloc," + asked_for(bytes)).c_str(), __FILE__, __LINE__);
  }
  return place;
}

// A destructor has nobody to tell; after a sticky error these fail, and the process ends anyway.
void free_device(void* place) noexcept {
  if (place != nullptr) {
    cudaFree(place);
  }
}

void free_pinned(void* place) noexcept {
  if (place != nullptr) {
    cudaFreeHost(place);
  }
}

}  // namespace cuda
