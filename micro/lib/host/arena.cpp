#include "host/arena.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/chain.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "host/device_info.hpp"

namespace host {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kPlacementSlack = 2 * kHugePage;

std::string text_of(std::size_t bytes) {
  return core::format_bytes(static_cast<std::int64_t>(bytes));
}

std::size_t rounded_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Sum of AnonHugePages over the mappings that begin inside [base, base + size).
std::size_t huge_bytes_of(const std::byte* base, std::size_t size) {
  std::ifstream smaps("/proc/self/smaps");
  const auto first = reinterpret_cast<std::uintptr_t>(base);
  bool inside = false;
  std::size_t kib_total = 0;
  for (std::string line; std::getline(smaps, line);) {
    std::uintptr_t low = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> low >> dash && dash == '-')
      inside = low >= first && low < first + size;
    std::size_t kib = 0;
    if (inside && std::sscanf(line.c_str(), "AnonHugePages: %zu kB", &kib) == 1) kib_total += kib;
  }
  return kib_total * 1024;
}

}  // namespace

Arena::Arena(std::size_t bytes) {
  const std::size_t size = rounded_up(bytes, kHugePage) + kPlacementSlack;
  const auto free = static_cast<std::size_t>(read_memory().free_bytes);
  // Asked before: the kernel would grant it and end the process when it is touched.
  if (free != 0 && size > free)
    throw core::UnavailableError("the points need " + text_of(size) + " of memory, " +
                                 text_of(free) + " is free");
  const std::size_t mapped = size + kHugePage;
  void* raw = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED)
    throw core::UnavailableError("mmap of " + text_of(mapped) +
                                 " for the arena: " + std::strerror(errno));
  auto* start = static_cast<std::byte*>(raw);
  const std::size_t before = rounded_up(reinterpret_cast<std::uintptr_t>(raw), kHugePage) -
                             reinterpret_cast<std::uintptr_t>(raw);
  base_ = start + before;
  size_bytes_ = size;
  if (before != 0) munmap(start, before);
  if (kHugePage - before != 0) munmap(base_ + size, kHugePage - before);

  const bool advised = madvise(base_, size, MADV_HUGEPAGE) == 0;
  const std::string refusal = advised ? "" : std::strerror(errno);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t at = 0; at < size; at += page) base_[at] = std::byte{1};
  huge_page_bytes_ = huge_bytes_of(base_, size);
  page_policy_ = advised ? "transparent huge pages asked for by madvise, " +
                               text_of(huge_page_bytes_) + " of " + text_of(size) + " given"
                         : "pages of " + text_of(page) +
                               "; transparent huge pages refused by madvise: " + refusal;
}

Arena::Arena(Arena&& other) noexcept { *this = std::move(other); }

Arena& Arena::operator=(Arena&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(size_bytes_, other.size_bytes_);
  std::swap(huge_page_bytes_, other.huge_page_bytes_);
  std::swap(page_policy_, other.page_policy_);
  return *this;
}

Arena::~Arena() {
  if (base_ != nullptr) munmap(base_, size_bytes_);
}

std::byte* Arena::place(std::size_t bytes, std::size_t alignment, const core::Trial& trial) const {
  if (bytes > size_bytes_)
    throw core::SkipError("needs " + text_of(bytes) + ", the arena has " + text_of(size_bytes_));
  const std::size_t places = (size_bytes_ - bytes) / alignment + 1;
  core::Random random(core::mix_seed(trial.seed, static_cast<std::uint64_t>(trial.repetition)));
  return base_ + random.below(places) * alignment;
}

}  // namespace host
