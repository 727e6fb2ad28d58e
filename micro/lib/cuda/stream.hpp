#pragma once
// Streams and events that destroy themselves.

#include <cuda_runtime_api.h>

#include <utility>

#include "cuda/check.hpp"

namespace cuda {

/// Does not synchronise with the legacy default stream.
class Stream {
 public:
  Stream() { MICRO_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~Stream() {
    if (stream_ != nullptr) {
      cudaStreamDestroy(stream_);
    }
  }

  cudaStream_t get() const { return stream_; }
  operator cudaStream_t() const { return stream_; }
  /// Errors of kernels that ran show here.
  void synchronize() const { MICRO_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A place in a stream with a time stamp.
class Event {
 public:
  Event() { MICRO_CUDA_CHECK(cudaEventCreate(&event_)); }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  ~Event() {
    if (event_ != nullptr) {
      cudaEventDestroy(event_);
    }
  }

  cudaEvent_t get() const { return event_; }
  operator cudaEvent_t() const { return event_; }
  void record(cudaStream_t stream) { MICRO_CUDA_CHECK(cudaEventRecord(event_, stream)); }
  void synchronize() const { MICRO_CUDA_CHECK(cudaEventSynchronize(event_)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Nanoseconds from one recorded event to another, both reached; the runtime's resolution is about
/// 0.5 us.
inline double elapsed_ns(const Event& start, const Event& stop) {
  float ms = 0;
  MICRO_CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  return static_cast<double>(ms) * 1e6;
}

}  // namespace cuda
