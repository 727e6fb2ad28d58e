#include "host/arrays.hpp"

#include "core/chain.hpp"

namespace host {

Arrays Arrays::slice(std::size_t begin_bytes, std::size_t bytes) const {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  const auto part = [&](Words words) {
    return words.empty() ? words : words.subspan(begin_bytes / kWord, bytes / kWord);
  };
  return {part(to), part(from), part(other)};
}

std::vector<Arrays> lay_arrays(std::byte* base, const Shape& shape, std::size_t array_bytes,
                               int threads, std::uint64_t seed) {
  auto* next = reinterpret_cast<std::uint64_t*>(base);
  std::vector<Arrays> all(static_cast<std::size_t>(threads));
  for (Arrays& arrays : all) {
    const auto take = [&](bool there) {
      const Words taken(next, there ? array_bytes / sizeof(std::uint64_t) : 0);
      next += taken.size();
      return taken;
    };
    arrays.to = take(shape.writes > 0);
    arrays.from = take(shape.reads > 0);
    arrays.other = take(shape.reads > 1);
    poison(arrays.to);
    for (const Words words : {arrays.from, arrays.other}) {
      seed = core::mix_seed(seed, "next array");
      shape.of_doubles ? fill_random_doubles(words, seed) : fill_random(words, seed);
    }
  }
  return all;
}

core::Check check_written(
    const std::vector<Arrays>& all,
    const std::function<std::uint64_t(const Arrays&, std::size_t index)>& expected) {
  Written written;
  for (const Arrays& arrays : all)
    for (std::size_t index = 0; index < arrays.to.size(); ++index)
      written.add(arrays.to[index], expected(arrays, index));
  return written.check();
}

}  // namespace host
