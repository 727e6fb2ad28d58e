#pragma once
// One allocation of device memory for the process. Freed gigabytes disturb for milliseconds per
// GiB, so nothing is freed between points; placement varies by moving inside the arena.

#include <cstddef>
#include <cstdint>

#include "core/backend.hpp"

namespace cuda {

/// Where in an arena of `size_bytes` from address `base` on `bytes` go: a multiple of `alignment`
/// in address, drawn from trial.seed and trial.repetition alone. Throws core::SkipError when they
/// do not fit, std::invalid_argument for an alignment that is no power of two.
std::size_t draw_offset(std::uintptr_t base, std::size_t size_bytes, std::size_t bytes,
                        std::size_t alignment, const core::Trial& trial);

class Arena {
 public:
  Arena() = default;
  /// Allocates `bytes` plus slack for placement. Throws core::UnavailableError with sizes asked for
  /// and free.
  explicit Arena(std::size_t bytes);
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  ~Arena();

  /// `bytes` of the arena, aligned to `alignment` (a power of two), at an offset drawn from
  /// trial.seed and trial.repetition. Throws core::SkipError when the arena is smaller than
  /// `bytes`. Content is whatever the last point left.
  std::byte* place(std::size_t bytes, std::size_t alignment, const core::Trial& trial) const;
  std::size_t size_bytes() const { return size_bytes_; }
  /// Offset of a placed pointer, for Samples::facts.
  std::size_t offset_of(const std::byte* place) const {
    return static_cast<std::size_t>(place - base_);
  }

 private:
  std::byte* base_ = nullptr;
  std::size_t size_bytes_ = 0;
};

}  // namespace cuda
