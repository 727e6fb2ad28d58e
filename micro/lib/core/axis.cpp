#include "core/axis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace core {

std::string to_string(const AxisValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

std::string Axis::refuse(const AxisValue& value) const {
  if (takes_words()) {
    const auto* word = std::get_if<std::string>(&value);
    if (word && std::ranges::find(words, *word) != words.end()) return {};
    return fmt::format("{} is not allowed; {}", to_string(value), fmt::join(words, ", "));
  }
  const auto* number = std::get_if<std::int64_t>(&value);
  if (!number) return fmt::format("{} is not a number", to_string(value));
  if (!allowed.empty()) {
    if (std::ranges::find(allowed, *number) != allowed.end()) return {};
    return fmt::format("{} is not allowed; {}", *number, fmt::join(allowed, ", "));
  }
  if (*number < min || *number > max) {
    return max == std::numeric_limits<std::int64_t>::max()
               ? fmt::format("{} is not allowed; {} or more", *number, min)
               : fmt::format("{} is not allowed; {} to {}", *number, min, max);
  }
  if (*number % multiple_of != 0)
    return fmt::format("{} is not allowed; a multiple of {}", *number, multiple_of);
  return {};
}

}  // namespace core
