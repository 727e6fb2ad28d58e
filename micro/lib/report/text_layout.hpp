#pragma once
// Text in columns. Widths count characters, not bytes.

#include <string>
#include <string_view>
#include <vector>

namespace report {

/// Characters (code points) of UTF-8.
std::size_t width(std::string_view text);

std::string pad_right(std::string text, std::size_t columns);
std::string pad_left(std::string text, std::size_t columns);

/// Control characters become spaces: names come from devices and files, and end on a terminal.
std::string printable(std::string_view text);

/// Lines of at most `columns`, broken at spaces, and within a longer word after a slash (ids):
/// never inside a number, because half a number is a wrong number. Never empty.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

/// `label` at the left edge, the wrapped text beside it from column `indent` on; ends in a newline.
std::string hanging(std::string_view label, std::string_view text, std::size_t indent,
                    std::size_t columns);

/// Phrases that must stay whole, packed greedily into lines with three spaces between them.
std::vector<std::string> pack(const std::vector<std::string>& phrases, std::size_t columns);

/// ANSI colour, or the text as it is.
struct Paint {
  bool on = false;
  std::string bold(const std::string& text) const { return with("1", text); }
  std::string dim(const std::string& text) const { return with("2", text); }
  std::string green(const std::string& text) const { return with("32", text); }
  std::string yellow(const std::string& text) const { return with("33", text); }
  std::string red(const std::string& text) const { return with("1;31", text); }

 private:
  std::string with(const char* code, const std::string& text) const {
    return on && !text.empty() ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
  }
};

}  // namespace report
