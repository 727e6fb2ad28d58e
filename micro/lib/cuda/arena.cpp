#include "cuda/arena.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <utility>

#include "core/chain.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/check.hpp"

namespace cuda {
namespace {

// Room to move in for the largest point, a few dozen of the driver's 2 MiB pages; smaller points
// have more.
constexpr std::size_t kSlackBytes = std::size_t{64} << 20;

std::string bytes_text(std::size_t bytes) {
  return core::format_bytes(static_cast<std::int64_t>(bytes));
}

}  // namespace

std::size_t draw_offset(std::uintptr_t base, std::size_t size_bytes, std::size_t bytes,
                        std::size_t alignment, const core::Trial& trial) {
  if (!std::has_single_bit(alignment)) {
    throw std::invalid_argument(fmt::format("alignment {} is no power of two", alignment));
  }
  const std::size_t first = static_cast<std::size_t>(-base & (alignment - 1));
  if (bytes > size_bytes || first > size_bytes - bytes) {
    throw core::SkipError(fmt::format("the point needs {} of device memory, the arena has {}",
                                      bytes_text(bytes), bytes_text(size_bytes)));
  }
  const std::size_t places = (size_bytes - bytes - first) / alignment + 1;
  core::Random random(core::mix_seed(core::mix_seed(trial.seed, "arena"),
                                     static_cast<std::uint64_t>(trial.repetition)));
  return first + random.below(places) * alignment;
}

Arena::Arena(std::size_t bytes) {
  void* place = nullptr;
  size_bytes_ = bytes + kSlackBytes;
  cudaError_t error = cudaMalloc(&place, size_bytes_);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free = 0;
    std::size_t total = 0;
    cudaMemGetInfo(&free, &total);
    throw core::UnavailableError(
        fmt::format("the run needs {} of device memory at once, {} of {} are free: end the "
                    "processes that hold it or plan smaller footprints",
                    bytes_text(bytes), bytes_text(free), bytes_text(total)));
  }
  if (error != cudaSuccess) {
    throw core::UnavailableError(error_text(error, "cudaMalloc", __FILE__, __LINE__));
  }
  base_ = static_cast<std::byte*>(place);
}

Arena::Arena(Arena&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      size_bytes_(std::exchange(other.size_bytes_, 0)) {}

Arena& Arena::operator=(Arena&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

Arena::~Arena() {
  if (base_ != nullptr) {
    cudaFree(base_);
  }
}

std::byte* Arena::place(std::size_t bytes, std::size_t alignment, const core::Trial& trial) const {
  return base_ +
         draw_offset(reinterpret_cast<std::uintptr_t>(base_), size_bytes_, bytes, alignment, trial);
}

}  // namespace cuda
