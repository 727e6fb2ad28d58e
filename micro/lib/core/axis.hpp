#pragma once
// An axis that a probe declares: what values a configuration may give it.

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace core {

using AxisValue = std::variant<std::int64_t, std::string>;

std::string to_string(const AxisValue& value);

/// Either a word axis (`words` not empty) or a whole-number axis. Numbers are in base units.
struct Axis {
  std::string name;     // "footprint"
  std::string unit;     // "bytes", "count", ...; empty for words
  std::string meaning;  // one line, for --list and configs/config.schema.json
  std::vector<std::string> words = {};
  std::vector<std::int64_t> allowed = {};  // when not empty, only these numbers
  std::int64_t min = 1;
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  std::int64_t multiple_of = 1;
  /// What `auto`, or leaving the axis out, stands for: values as a configuration would write them
  /// ("64KiB", "0.4 x l2", "read"). Never empty.
  std::vector<std::string> automatic = {};

  bool takes_words() const { return !words.empty(); }

  /// Empty when the value is allowed, else what is wrong and what is allowed: "33 is not allowed; 1
  /// to 32".
  std::string refuse(const AxisValue& value) const;
};

}  // namespace core
