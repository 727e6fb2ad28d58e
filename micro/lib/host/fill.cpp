#include "host/fill.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/chain.hpp"

namespace host {

void poison(Words words) { std::ranges::fill(words, kPoison); }

void fill_random(Words words, std::uint64_t seed) {
  core::Random random(seed);
  for (std::uint64_t& word : words) word = random.next();
}

void fill_random_doubles(Words words, std::uint64_t seed) {
  core::Random random(seed);
  for (std::uint64_t& word : words) word = std::bit_cast<std::uint64_t>(random.uniform());
}

std::uint64_t sum_of(std::span<const std::uint64_t> words) {
  return std::accumulate(words.begin(), words.end(), std::uint64_t{0});
}

core::Check Written::check() const {
  return {.name = "poison overwritten",
          .verdict = total > 0 && wrong == 0 ? core::Verdict::pass : core::Verdict::fail,
          .detail = std::to_string(total - wrong) + " of " + std::to_string(total) +
                    " words hold what was to be written, " + std::to_string(poisoned) +
                    " still the poison"};
}

}  // namespace host
