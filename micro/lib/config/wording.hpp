#pragma once
// How messages quote, list and suggest.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace config {

/// The text in double quotes, cut to a readable length: a whole file may stand where a word should.
std::string quote(std::string_view text);

/// The candidate that a person who typed `word` may have meant (edit distance, a swap counts one),
/// or empty when none is near.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// `did you mean "seed"? allowed: backend, device, ...`
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace config
