#pragma once
// Memory that frees itself. For inputs and results of kilobytes: what is large comes from the
// Arena, because freeing gigabytes disturbs what is measured next.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "cuda/check.hpp"

namespace cuda {

/// Uninitialised. Throw core::SkipError with the sizes asked for and free.
void* allocate_device(std::size_t bytes);
void* allocate_pinned(std::size_t bytes);
void free_device(void* place) noexcept;
void free_pinned(void* place) noexcept;

/// `count` elements in device memory.
template <typename T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t count)
      : data_(static_cast<T*>(allocate_device(count * sizeof(T)))), count_(count) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~DeviceBuffer() { free_device(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return count_; }
  std::size_t size_bytes() const { return count_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// `count` elements in page-locked host memory, so that copies are asynchronous.
template <typename T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::size_t count)
      : data_(static_cast<T*>(allocate_pinned(count * sizeof(T)))), count_(count) {}
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~PinnedBuffer() { free_pinned(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return count_; }
  std::size_t size_bytes() const { return count_ * sizeof(T); }
  std::span<T> span() { return {data_, count_}; }
  std::span<const T> span() const { return {data_, count_}; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + count_; }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// A buffer for what a kernel writes, filled with a pattern that no result looks like: what was not written shows. Queued.
template <typename T>
DeviceBuffer<T> poisoned(std::size_t count, cudaStream_t stream) {
  DeviceBuffer<T> buffer(count);
  MICRO_CUDA_CHECK(cudaMemsetAsync(buffer.data(), 0xa5, buffer.size_bytes(), stream));
  return buffer;
}

/// Queued in `stream`. Only a pinned `host` is really asynchronous; of pageable memory the runtime
/// makes a copy first.
template <typename T>
void upload(std::span<const T> host, std::type_identity_t<T>* device, cudaStream_t stream) {
  MICRO_CUDA_CHECK(
      cudaMemcpyAsync(device, host.data(), host.size_bytes(), cudaMemcpyHostToDevice, stream));
}

/// Queued in `stream`: synchronise before reading `host`.
template <typename T>
void download(const std::type_identity_t<T>* device, std::span<T> host, cudaStream_t stream) {
  MICRO_CUDA_CHECK(
      cudaMemcpyAsync(host.data(), device, host.size_bytes(), cudaMemcpyDeviceToHost, stream));
}

}  // namespace cuda
