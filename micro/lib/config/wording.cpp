#include "config/wording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace config {
namespace {

constexpr std::size_t kShownBytes = 60;
// Nobody means a word of ten letters with a text of a thousand.
constexpr std::size_t kComparedBytes = 64;

// Optimal string alignment: insert, delete, replace or swap of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string quote(std::string_view text) {
  if (text.size() <= kShownBytes) return fmt::format("\"{}\"", text);
  std::size_t end = kShownBytes;  // not inside a character of several bytes
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return fmt::format("\"{}...\"", text.substr(0, end));
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  if (word.empty() || word.size() > kComparedBytes) return {};
  std::string best;
  std::size_t best_distance = 1 + word.size() / 3;  // above this it is another word
  for (const std::string& candidate : candidates) {
    const std::size_t d = distance(word, candidate);
    if (d < best_distance || (d == best_distance && best.empty())) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const std::string near = nearest(word, candidates);
  const std::string allowed = fmt::format("allowed: {}", fmt::join(candidates, ", "));
  return near.empty() ? allowed : fmt::format("did you mean \"{}\"? {}", near, allowed);
}

}  // namespace config
