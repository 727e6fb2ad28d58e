#include "core/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace core {
namespace {

// Three significant digits, without an exponent for anything a person meets here.
std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

}  // namespace

std::string format_bytes(std::int64_t bytes) {
  static constexpr std::array<const char*, 5> kNames{"B", "KiB", "MiB", "GiB", "TiB"};
  double scaled = static_cast<double>(bytes);
  std::size_t step = 0;
  while (std::abs(scaled) >= 1024 && step + 1 < kNames.size()) {
    scaled /= 1024;
    ++step;
  }
  if (scaled == std::round(scaled)) return fmt::format("{:.0f} {}", scaled, kNames[step]);
  std::string digits = three_digits(scaled);
  if (digits.find('.') != std::string::npos) {
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
  }
  return digits + " " + kNames[step];
}

std::string format_value(double value, std::string_view unit) {
  if (!std::isfinite(value)) return "-";
  if (unit == unit::kBytesPerSecond) return three_digits(value / 1e9) + " GB/s";
  if (unit == unit::kBytesPerCyclePerSm) return three_digits(value) + " B/clk/SM";
  if (unit == unit::kOperationsPerCyclePerSm) return three_digits(value) + " lanes/clk/SM";
  if (unit == unit::kOperationsPerSecond) return three_digits(value / 1e9) + " Gop/s";
  if (unit == unit::kHertz) return three_digits(value / 1e6) + " MHz";
  if (unit == unit::kBytes) return format_bytes(static_cast<std::int64_t>(value));
  if (unit == unit::kSeconds) return format_seconds(value);
  return three_digits(value) + " " + std::string(unit);
}

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds < 1e-3) return three_digits(seconds * 1e6) + " us";
  if (seconds < 1) return three_digits(seconds * 1e3) + " ms";
  if (seconds < 60) return three_digits(seconds) + " s";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace core
