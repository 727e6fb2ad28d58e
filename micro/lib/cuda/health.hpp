#pragma once
// What may explain a measurement, read before and after each point: time counters of clock events
// (a difference cannot miss a short event, a sampled mask can), errors, energy, clocks.

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "cuda/nvml.hpp"

namespace cuda {

enum class HealthKind {
  counter,  // only rises: after less before
  gauge,    // as it is after the point
  mask,     // bits seen before or after
};

struct HealthItem {
  std::string name;
  std::string unit;
  HealthKind kind = HealthKind::counter;

  bool operator==(const HealthItem&) const = default;
};

inline constexpr double kUnreadable = std::numeric_limits<double>::quiet_NaN();

/// One value an item; kUnreadable where there was none. A counter that fell was reset and says
/// nothing: left out, as is what was unreadable at either end (a gauge: after; a mask: both).
std::vector<core::Quantity> health_delta(std::span<const HealthItem> items,
                                         std::span<const double> before,
                                         std::span<const double> after);

/// The clock event reasons of an NVML mask by name: "power_cap", "thermal_slowdown", ...; bits
/// without a name as "bit_12".
std::vector<std::string> event_reason_names(unsigned long long mask);

/// NVML's ids of the event time counters that have no stable number: sw thermal, hw thermal, hw
/// power brake, in this order; empty for a driver whose numbers are not known. They are 251 to 253
/// from driver 575 on and were moved to 269 to 271 between 580.65 and 580.82.
std::vector<unsigned> moved_event_fields(const std::string& driver_version);

/// Reads the items of one device that it can answer and that fit in `budget_ns` a reading (measured
/// at construction; the most telling first). The rest is named in `missing()` with its reason.
class Health {
 public:
  explicit Health(const NvmlDevice& device, double budget_ns = 400e3);

  const std::vector<HealthItem>& items() const { return items_; }
  const std::vector<std::string>& missing() const { return missing_; }
  /// One value an item of items().
  std::vector<double> read() const;

 private:
  struct Call {
    std::size_t item;
    std::function<double()> read;  // kUnreadable where it fails
  };
  struct Field {
    std::size_t item;
    unsigned id;
    double scale;  // to the item's unit
  };

  NvmlHandle board_ = nullptr;
  const NvmlLibrary* library_ = nullptr;
  std::vector<HealthItem> items_;
  std::vector<Call> calls_;
  std::vector<Field> fields_;  // read together: one call for all
  std::vector<std::string> missing_;
};

}  // namespace cuda
