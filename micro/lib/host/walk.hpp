#pragma once
// Dependent loads through a chain of pointers, by one walker or several at once, in pairs of windows of
// two lengths.

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "core/samples.hpp"
#include "host/timer.hpp"

namespace host {

/// Lays a cycle through `nodes` in their order: each place holds the address of the next one.
inline void link(std::span<std::byte* const> nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    new (nodes[i]) const void*(nodes[(i + 1) % nodes.size()]);
}

template <std::size_t kWalkers>
using Walkers = std::array<const void*, kWalkers>;

/// Each hop of a walker needs the value of its hop before; the empty asm makes the value opaque, so that
/// the compiler can neither drop, merge nor reorder hops.
template <std::size_t kWalkers>
[[gnu::noinline]] void walk(Walkers<kWalkers>& walkers, std::uint64_t hops) {
  Walkers<kWalkers> at = walkers;
#pragma GCC unroll 1
  for (; hops > 0; --hops)
#pragma GCC unroll 16
    for (std::size_t walker = 0; walker < kWalkers; ++walker) {
      at[walker] = *static_cast<const void* const*>(at[walker]);
      asm volatile("" : "+r"(at[walker]));
    }
  walkers = at;
}

/// What pairs of windows of `hops` and 2 x `hops` hops took.
struct HopTimes {
  std::uint64_t hops = 0;  // a walker, in the shorter window
  core::Column shorter{"short_window", "ns", {}};
  core::Column longer{"long_window", "ns", {}};
  std::vector<double> differences_ns = {};

  /// Of one walker in all pairs together.
  std::uint64_t hops_done() const { return 3 * hops * differences_ns.size(); }
};

/// Appends one pair. The timer and the ends of the loop cancel in the difference.
template <std::size_t kWalkers>
void time_pair(Walkers<kWalkers>& walkers, HopTimes& times) {
  const auto window_ns = [&](std::uint64_t hops) {
    const std::int64_t start = now_ns();
    walk(walkers, hops);
    for (const void*& at : walkers) asm volatile("" : "+r"(at)::"memory");
    return static_cast<double>(now_ns() - start);
  };
  times.shorter.values.push_back(window_ns(times.hops));
  times.longer.values.push_back(window_ns(2 * times.hops));
  times.differences_ns.push_back(times.longer.values.back() - times.shorter.values.back());
}

}  // namespace host
