#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "cuda/health.hpp"

namespace cuda {
namespace {

// nvmlClocksEventReason*, before R535 nvmlClocksThrottleReason*; by bit.
constexpr std::array<std::string_view, 11> kReasons = {
    "idle",          "application_clocks", "power_cap",           "hw_slowdown",
    "sync_boost",    "thermal_slowdown",   "hw_thermal_slowdown", "hw_power_brake",
    "display_clock", "board_limit",        "reliability"};

double joined(const HealthItem& item, double before, double after) {
  switch (item.kind) {
    case HealthKind::counter:
      return after >= before ? after - before : kUnreadable;
    case HealthKind::gauge:
      return after;
    case HealthKind::mask:
      if (std::isnan(before) || std::isnan(after)) {
        return kUnreadable;
      }
      return static_cast<double>(static_cast<std::uint64_t>(before) |
                                 static_cast<std::uint64_t>(after));
  }
  return kUnreadable;
}

int leading_number(std::string_view text) {
  int value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::vector<core::Quantity> health_delta(std::span<const HealthItem> items,
                                         std::span<const double> before,
                                         std::span<const double> after) {
  std::vector<core::Quantity> delta;
  for (std::size_t i = 0; i < items.size() && i < before.size() && i < after.size(); ++i) {
    const double value = joined(items[i], before[i], after[i]);
    if (!std::isnan(value)) {
      delta.push_back({items[i].name, items[i].unit, value});
    }
  }
  return delta;
}

std::vector<std::string> event_reason_names(unsigned long long mask) {
  std::vector<std::string> names;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((mask >> bit & 1) != 0) {
      names.push_back(bit < kReasons.size() ? std::string(kReasons[bit])
                                            : fmt::format("bit_{}", bit));
    }
  }
  return names;
}

std::vector<unsigned> moved_event_fields(const std::string& driver_version) {
  const auto dot = driver_version.find('.');
  const int branch = leading_number(driver_version);
  const int minor = dot == std::string::npos
                        ? -1
                        : leading_number(std::string_view(driver_version).substr(dot + 1));
  if (branch > 580 || (branch == 580 && minor >= 82)) {
    return {269, 270, 271};
  }
  if ((branch >= 575 && branch < 580) || (branch == 580 && minor >= 0 && minor <= 65)) {
    return {251, 252, 253};
  }
  return {};
}

}  // namespace cuda
