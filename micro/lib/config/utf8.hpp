#pragma once
// What must hold before a YAML parser may see the text.

#include <optional>
#include <string>
#include <string_view>

namespace config {

struct Unreadable {
  int line = 0;
  int column = 0;  // in bytes, from 1
  std::string what;
};

/// The first place where `text` is no UTF-8, or holds a control character other than tab and line
/// break (yaml-cpp guesses UTF-16 from zero bytes and takes 0x04 for the end).
std::optional<Unreadable> first_unreadable(std::string_view text);

}  // namespace config
