#pragma once
// Numbers, sizes and times as a person writes them, in exact arithmetic: whole base units or a
// mistake with its remedy, never a rounded or wrapped value.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/capacities.hpp"

namespace config {

/// A value, or what is wrong with the text and what is allowed.
template <typename T>
struct Parsed {
  T value = {};
  std::string mistake = {};

  explicit operator bool() const { return mistake.empty(); }
};

/// "42", "-1". No octal, no hexadecimal, no exponent, no underscore.
Parsed<std::int64_t> parse_integer(std::string_view text);
/// "0" to "18446744073709551615": a seed.
Parsed<std::uint64_t> parse_seed(std::string_view text);
/// "0.5": digits with at most 9 decimals, 0 to a million.
Parsed<double> parse_decimal(std::string_view text);
/// What parse_decimal reads back to the same value.
std::string format_decimal(double value);
/// "64KiB", "1.5 MiB", "2GB", "1536" -> bytes. Units B KiB MiB GiB TiB and kB MB GB TB.
Parsed<std::int64_t> parse_size(std::string_view text);
/// "1.5us", "10 ms", "250" -> nanoseconds. Units ns us ms s min.
Parsed<std::int64_t> parse_time_ns(std::string_view text);

/// "0.4 x l2": a share of a queried capacity.
struct Relative {
  std::string_view factor;
  std::string_view capacity;
};

/// Whether `text` is written as a share ("<number> x <word>"); both parts are unchecked.
bool is_relative(std::string_view text, Relative& relative);

/// Bytes, or a count where `unit` is one ("2 x sm_count"), rounded down to `multiple_of`.
struct Share {
  std::int64_t value = 0;
  /// The name is one in use, but this device does not state it.
  bool not_stated = false;
};
Parsed<Share> parse_share(const Relative& relative, std::string_view unit, std::int64_t multiple_of,
                          const core::Capacities& capacities);

}  // namespace config
