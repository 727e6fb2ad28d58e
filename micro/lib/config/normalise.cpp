#include "config/normalise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "config/values.hpp"

namespace config {
namespace {

// Plain where no reader of YAML could take it for anything else, in double quotes otherwise.
std::string scalar(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_plain = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') ||
           std::string_view("_./- ").find(c) != std::string_view::npos;
  };
  static constexpr std::string_view kOther[] = {"null", "true", "false", "yes", "no",
                                                "on",   "off",  "y",     "n"};
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const bool starts_well =
      !text.empty() && (is_letter(text.front()) || (text.front() >= '0' && text.front() <= '9'));
  if (starts_well && text.back() != ' ' && std::ranges::all_of(text, is_plain) &&
      std::ranges::find(kOther, lower) == std::end(kOther))
    return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string range_text(const Range& range) {
  const std::string ends =
      fmt::format("{{range: [{}, {}], scale: ", scalar(range.from.text), scalar(range.to.text));
  if (range.scale == Range::Scale::linear)
    return ends + fmt::format("linear, step: {}}}", scalar(range.step.text));
  return ends +
         fmt::format("log2, points_per_octave: {}}}", format_decimal(range.points_per_octave));
}

std::string choice_text(const AxisChoice& choice) {
  if (choice.automatic) return "auto";
  std::string items;
  const auto add = [&](const std::string& item) { items += (items.empty() ? "" : ", ") + item; };
  for (const Written& value : choice.values) add(scalar(value.text));
  for (const Range& range : choice.ranges) add(range_text(range));
  return choice.values.size() + choice.ranges.size() == 1 ? items : fmt::format("[{}]", items);
}

}  // namespace

std::string normalised(const Config& config) {
  std::string text;
  text += fmt::format("backend: {}\n", scalar(config.backend));
  text += fmt::format("device: {}\n", scalar(config.device));
  text += fmt::format("seed: {}\n", config.seed);
  text += fmt::format("repetitions: {}\n", config.repetitions);
  text += fmt::format("max_minutes: {}\n", format_decimal(config.max_minutes));
  text += fmt::format("output: {}\n", scalar(config.output));
  if (config.stanzas.empty()) return text + "stanzas: []\n";
  text += "stanzas:\n";
  for (const Stanza& stanza : config.stanzas) {
    text += fmt::format("  - probe: {}\n", scalar(stanza.probe));
    if (stanza.repetitions) text += fmt::format("    repetitions: {}\n", *stanza.repetitions);
    for (const AxisChoice& choice : stanza.axes)
      text += fmt::format("    {}: {}\n", scalar(choice.axis), choice_text(choice));
  }
  return text;
}

}  // namespace config
