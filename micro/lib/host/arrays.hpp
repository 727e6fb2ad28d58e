#pragma once
// The arrays that streams run over: laid out, filled, and checked afterwards.

#include <cstddef>
#include <functional>
#include <vector>

#include "core/samples.hpp"
#include "host/fill.hpp"

namespace host {

/// What a stream does to arrays: at most one written and two read.
struct Shape {
  std::size_t writes = 0;
  std::size_t reads = 0;
  bool of_doubles = false;  // what is read holds numbers in [0, 1), else random words

  std::size_t arrays() const { return writes + reads; }
};

/// Of one thread, beside each other in this order; those that the shape lacks are empty.
struct Arrays {
  Words to;
  Words from;
  Words other;

  /// The same part of each.
  Arrays slice(std::size_t begin_bytes, std::size_t bytes) const;
};

/// `threads` times the arrays of `shape`, `array_bytes` each (a multiple of 8), from `base` on. What
/// is written holds the poison, what is read random content of `seed`.
std::vector<Arrays> lay_arrays(std::byte* base, const Shape& shape, std::size_t array_bytes,
                               int threads, std::uint64_t seed);

/// The check "poison overwritten": every word of every written array is `expected(arrays, index)`.
/// Fails where nothing is written.
core::Check check_written(
    const std::vector<Arrays>& all,
    const std::function<std::uint64_t(const Arrays&, std::size_t index)>& expected);

}  // namespace host
