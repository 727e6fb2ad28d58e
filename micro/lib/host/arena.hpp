#pragma once
// One allocation of memory for the process, on huge pages where the kernel gives them, every page
// touched before anything is measured. Placement varies by moving inside it.

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/backend.hpp"

namespace host {

class Arena {
 public:
  Arena() = default;
  /// Maps `bytes` plus slack for placement, asks for transparent huge pages and touches every page.
  /// Throws core::UnavailableError with the sizes asked for and free when it cannot be had.
  explicit Arena(std::size_t bytes);
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  ~Arena();

  /// `bytes` of the arena, aligned to `alignment` (a power of two up to 2 MiB), at an offset drawn
  /// from trial.seed and trial.repetition. Throws core::SkipError when the arena is smaller than
  /// `bytes`. Content is whatever the last point left.
  std::byte* place(std::size_t bytes, std::size_t alignment, const core::Trial& trial) const;

  std::size_t size_bytes() const { return size_bytes_; }
  /// Offset of a placed pointer, for Samples::facts.
  std::size_t offset_of(const std::byte* place) const {
    return static_cast<std::size_t>(place - base_);
  }
  /// Of the arena, how much the kernel backs with huge pages (/proc/self/smaps, read once).
  std::size_t huge_page_bytes() const { return huge_page_bytes_; }
  /// "transparent huge pages asked for by madvise, 66 MiB of 66 MiB given", or why not.
  const std::string& page_policy() const { return page_policy_; }

 private:
  std::byte* base_ = nullptr;
  std::size_t size_bytes_ = 0;
  std::size_t huge_page_bytes_ = 0;
  std::string page_policy_;
};

}  // namespace host
