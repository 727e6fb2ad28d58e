#include "report/text_layout.hpp"

#include <algorithm>

namespace report {

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string pad_right(std::string text, std::size_t columns) {
  const std::size_t have = width(text);
  return have < columns ? text + std::string(columns - have, ' ') : text;
}

std::string pad_left(std::string text, std::size_t columns) {
  const std::size_t have = width(text);
  return have < columns ? std::string(columns - have, ' ') + text : text;
}

std::string printable(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(
      out, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return out;
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines(1);
  const auto place = [&](std::string_view piece, bool spaced) {
    std::string& line = lines.back();
    const std::size_t gap = spaced && !line.empty() ? 1 : 0;
    if (!line.empty() && width(line) + gap + width(piece) > columns)
      lines.emplace_back(piece);
    else
      line += std::string(gap, ' ') + std::string(piece);
  };
  const std::string words = printable(text);
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    std::string_view word = std::string_view(words).substr(at, end - at);
    at = end + 1;
    bool spaced = true;
    while (width(word) > columns && word.find('/') < word.size() - 1) {
      const std::size_t cut = word.find('/') + 1;
      place(word.substr(0, cut), spaced);
      word.remove_prefix(cut);
      spaced = false;
    }
    if (!word.empty()) place(word, spaced);
  }
  return lines;
}

std::string hanging(std::string_view label, std::string_view text, std::size_t indent,
                    std::size_t columns) {
  std::string out;
  std::string left(label);
  for (const std::string& line : wrap(text, columns > indent ? columns - indent : 1)) {
    out += pad_right(left, indent) + line + "\n";
    left.clear();
  }
  return out;
}

std::vector<std::string> pack(const std::vector<std::string>& phrases, std::size_t columns) {
  std::vector<std::string> lines;
  for (const std::string& any : phrases) {
    const std::string phrase = printable(any);
    if (phrase.empty()) continue;
    if (lines.empty() || width(lines.back()) + 3 + width(phrase) > columns)
      lines.push_back(phrase);
    else
      lines.back() += "   " + phrase;
  }
  return lines;
}

}  // namespace report
