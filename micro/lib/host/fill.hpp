#pragma once
// What is in memory before a stream runs over it, and whether what should be there afterwards is.

#include <cstdint>
#include <span>
#include <string>

#include "core/samples.hpp"

namespace host {

using Words = std::span<std::uint64_t>;

/// Fills outputs before a writer runs. As a double it is a not-a-number, which no triad gives.
inline constexpr std::uint64_t kPoison = 0x7ff8dead7ff8deadULL;

void poison(Words words);

/// Random and incompressible (rule: zeros would change power, and traffic where memory compresses).
void fill_random(Words words, std::uint64_t seed);
/// The bits of doubles, uniform in [0, 1).
void fill_random_doubles(Words words, std::uint64_t seed);

/// Modulo 2^64.
std::uint64_t sum_of(std::span<const std::uint64_t> words);

/// `wrong` of `total` words are not what the kernel should have written, `poisoned` of them never
/// written at all.
struct Written {
  std::uint64_t total = 0;
  std::uint64_t wrong = 0;
  std::uint64_t poisoned = 0;

  void add(std::uint64_t found, std::uint64_t expected) {
    ++total;
    wrong += found != expected ? 1 : 0;
    poisoned += found == kPoison ? 1 : 0;
  }
  /// The check "poison overwritten": fails unless something was checked and nothing was wrong.
  core::Check check() const;
};

}  // namespace host
