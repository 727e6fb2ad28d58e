#include "config/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>

#include "config/wording.hpp"

namespace config {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

// digits[.digits] as mantissa / 10^decimals.
struct Decimal {
  Wide mantissa = 0;
  int decimals = 0;
  bool too_long = false;  // more digits than arithmetic below has room for
};

constexpr std::size_t kMaxDigits = 24;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Takes the number off the front of `text`; empty mistake and 0 digits never both.
std::string take_decimal(std::string_view& text, Decimal& number) {
  const std::size_t whole_digits =
      static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
  if (whole_digits == 0) return "does not begin with a digit";
  if (whole_digits > 1 && text.front() == '0') return "has a leading zero; write it without";
  std::string digits(text.substr(0, whole_digits));
  text.remove_prefix(whole_digits);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    std::string decimals(text.begin(), std::ranges::find_if_not(text, is_digit));
    if (decimals.empty()) return "has no digit after the point";
    text.remove_prefix(decimals.size());
    while (!decimals.empty() && decimals.back() == '0') decimals.pop_back();
    number.decimals = static_cast<int>(decimals.size());
    digits += decimals;
  }
  number.too_long = digits.size() > kMaxDigits;
  if (!number.too_long)
    for (const char c : digits) number.mantissa = number.mantissa * 10 + static_cast<Wide>(c - '0');
  return {};
}

Wide power_of_ten(int exponent) {
  Wide power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

struct Unit {
  std::string name;
  std::int64_t factor;
};

// One reader for sizes and times: number, unit, whole base units.
struct Measure {
  std::string_view base_unit;   // "B"
  std::string_view base_name;   // "bytes"
  std::string_view example;     // "64KiB"
  std::span<const Unit> units;  // the base unit first
};

Parsed<std::int64_t> parse_measure(std::string_view text, const Measure& measure) {
  const auto wrong = [&](const std::string& what) {
    return Parsed<std::int64_t>{.mistake = fmt::format("{} {}", quote(text), what)};
  };
  std::string_view rest = trimmed(text);
  if (rest.starts_with('-'))
    return wrong(fmt::format("is negative; write {} like {}", measure.base_name, measure.example));
  Decimal number;
  if (const std::string mistake = take_decimal(rest, number); !mistake.empty())
    return wrong(fmt::format("{}; write {} like {}", mistake, measure.base_name, measure.example));

  std::vector<std::string> names;
  for (const Unit& unit : measure.units) names.push_back(unit.name);
  const std::string unit_name(trimmed(rest));
  const auto unit = unit_name.empty() ? measure.units.begin()
                                      : std::ranges::find(measure.units, unit_name, &Unit::name);
  if (unit == measure.units.end())
    return wrong(
        fmt::format("has unknown unit {}; {}", quote(unit_name), suggestion(unit_name, names)));

  const std::string too_large =
      fmt::format("is too large; at most {}{}", kLargest, measure.base_unit);
  if (number.too_long) return wrong(number.decimals > 0 ? "has too many digits" : too_large);
  const Wide scale = power_of_ten(number.decimals);
  const Wide product = number.mantissa * static_cast<Wide>(unit->factor);
  if (product / scale > static_cast<Wide>(kLargest)) return wrong(too_large);
  const auto whole = static_cast<std::int64_t>(product / scale);
  if (product % scale != 0)
    return wrong(whole == 0 ? fmt::format("is no whole number of {}; write 1{}", measure.base_name,
                                          measure.base_unit)
                            : fmt::format("is no whole number of {}; write {}{} or {}{}",
                                          measure.base_name, whole, measure.base_unit, whole + 1,
                                          measure.base_unit));
  return {.value = whole};
}

template <typename T>
Parsed<T> parse_whole(std::string_view text, std::string_view example) {
  T value = {};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  const bool all_digits = !digits.empty() && std::ranges::all_of(digits, is_digit);
  if (all_digits && digits.size() > 1 && digits.front() == '0')
    return {.mistake = fmt::format("{} has a leading zero; write it without", quote(text))};
  if (error == std::errc::result_out_of_range ||
      (all_digits && std::numeric_limits<T>::min() == 0 && text.starts_with('-')))
    return {.mistake = fmt::format("{} is out of range; {} to {}", quote(text),
                                   std::numeric_limits<T>::min(), std::numeric_limits<T>::max())};
  if (!all_digits || end != text.data() + text.size())
    return {.mistake =
                fmt::format("{} is no whole number; write it like {}", quote(text), example)};
  return {.value = value};
}

const std::vector<std::string>& capacity_names() {
  static const std::vector<std::string> names = {"l1",     "l1_total", "l2",          "l3",
                                                 "shared", "memory",   "free_memory", "sm_count"};
  return names;
}

}  // namespace

Parsed<std::int64_t> parse_integer(std::string_view text) {
  return parse_whole<std::int64_t>(text, "4");
}

Parsed<std::uint64_t> parse_seed(std::string_view text) {
  return parse_whole<std::uint64_t>(text, "1");
}

Parsed<double> parse_decimal(std::string_view text) {
  const auto wrong = [&](std::string_view what) {
    return Parsed<double>{.mistake = fmt::format("{} {}", quote(text), what)};
  };
  if (text.starts_with('-')) return wrong("is negative; write a number like 2 or 0.5");
  std::string_view rest = text;
  Decimal number;
  if (const std::string mistake = take_decimal(rest, number); !mistake.empty())
    return wrong(mistake + "; write a number like 2 or 0.5");
  if (!rest.empty()) return wrong("is no number; write one like 2 or 0.5");
  if (number.too_long || number.decimals > 9) return wrong("has too many digits");
  const Wide scale = power_of_ten(number.decimals);
  if (number.mantissa > 1'000'000 * scale) return wrong("is too large; at most 1000000");
  return {.value = static_cast<double>(number.mantissa) / static_cast<double>(scale)};
}

std::string format_decimal(double value) {
  std::string text = fmt::format("{:.9f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

Parsed<std::int64_t> parse_size(std::string_view text) {
  constexpr std::int64_t k1 = 1;
  static const std::vector<Unit> units = {
      {"B", 1},          {"KiB", k1 << 10},     {"MiB", k1 << 20},
      {"GiB", k1 << 30}, {"TiB", k1 << 40},     {"kB", 1000},
      {"MB", 1'000'000}, {"GB", 1'000'000'000}, {"TB", 1'000'000'000'000}};
  return parse_measure(
      text, {.base_unit = "B", .base_name = "bytes", .example = "64KiB", .units = units});
}

Parsed<std::int64_t> parse_time_ns(std::string_view text) {
  static const std::vector<Unit> units = {
      {"ns", 1}, {"us", 1000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}};
  return parse_measure(
      text, {.base_unit = "ns", .base_name = "nanoseconds", .example = "10us", .units = units});
}

bool is_relative(std::string_view text, Relative& relative) {
  const std::size_t x = text.find(" x ");
  if (x == std::string_view::npos) return false;
  relative = {.factor = trimmed(text.substr(0, x)), .capacity = trimmed(text.substr(x + 3))};
  return true;
}

Parsed<Share> parse_share(const Relative& relative, std::string_view unit, std::int64_t multiple_of,
                          const core::Capacities& capacities) {
  const std::string name(relative.capacity);
  const auto wrong = [&](const std::string& what) {
    return Parsed<Share>{.mistake = fmt::format(
                             "{} {}", quote(fmt::format("{} x {}", relative.factor, name)), what)};
  };
  std::string_view rest = relative.factor;
  Decimal factor;
  if (rest.starts_with('-')) return wrong("is negative; write a share like 0.4 x l2");
  if (const std::string mistake = take_decimal(rest, factor); !mistake.empty() || !rest.empty())
    return wrong("has no number before x; write a share like 0.4 x l2");
  if (std::ranges::find(capacity_names(), name) == capacity_names().end())
    return wrong(fmt::format("names unknown capacity {}; {}", quote(name),
                             suggestion(name, capacity_names())));
  if ((name == "sm_count") == (unit == "bytes"))
    return wrong(unit == "bytes" ? "is a count, but the axis is in bytes"
                                 : fmt::format("is in bytes, but the axis is in {}", unit));
  const std::int64_t capacity = capacities.get(name);
  if (capacity <= 0)
    return {.value = {.not_stated = true},
            .mistake = fmt::format("this device states no {}", name)};
  // 18 digits times 63 bits fit 128.
  const Wide scale = power_of_ten(factor.decimals);
  if (factor.too_long || factor.mantissa >= power_of_ten(18)) return wrong("has too many digits");
  const Wide value = factor.mantissa * static_cast<Wide>(capacity) / scale;
  if (value > static_cast<Wide>(kLargest)) return wrong("is too large");
  const auto whole = static_cast<std::int64_t>(value);
  return {.value = {.value = whole - whole % multiple_of}};
}

}  // namespace config
