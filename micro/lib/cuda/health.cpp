#include "cuda/health.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>

namespace cuda {
namespace {

union FieldNumber {  // nvmlValue_t
  double real;
  unsigned u32;
  unsigned long long u64;
  long long s64;
  int s32;
  unsigned short u16;
};

struct FieldValue {  // nvmlFieldValue_t
  unsigned id = 0;
  unsigned scope = 0;
  long long timestamp = 0;
  long long latency_us = 0;
  unsigned type = 0;
  int code = 0;
  FieldNumber value = {};
};

using GetFields = NvmlFunction<NvmlHandle, int, FieldValue*>;

double number_of(const FieldValue& field) {
  if (field.code != nvml::kSuccess) {
    return kUnreadable;
  }
  switch (field.type) {  // nvmlValueType_t
    case 0:
      return field.value.real;
    case 1:
      return field.value.u32;
    case 2:
    case 3:
      return static_cast<double>(field.value.u64);
    case 4:
      return static_cast<double>(field.value.s64);
    case 5:
      return field.value.s32;
    case 6:
      return field.value.u16;
    default:
      return kUnreadable;
  }
}

/// How an item may be read; a field first, because all fields go in one call.
struct Source {
  HealthItem item;
  unsigned field = 0;
  double scale = 1;
  std::function<int(double&)> call = {};
};

std::function<int(double&)> violation_time(const NvmlDevice& device, unsigned policy) {
  struct ViolationTime {  // nvmlViolationTime_t: microseconds and nanoseconds
    unsigned long long reference_us;
    unsigned long long violation_ns;
  };
  const auto get = device.library().function<NvmlHandle, unsigned, ViolationTime*>(
      {"nvmlDeviceGetViolationStatus"});
  return [get, board = device.board(), policy](double& value) {
    ViolationTime time{};
    const int code = get(board, policy, &time);
    value = static_cast<double>(time.violation_ns);
    return code;
  };
}

template <typename Value>
std::function<int(double&)> plain(const NvmlDevice& device,
                                  std::initializer_list<const char*> names) {
  const auto get = device.library().function<NvmlHandle, Value*>(names);
  return [get, board = device.board()](double& value) {
    Value raw{};
    const int code = get(board, &raw);
    value = static_cast<double>(raw);
    return code;
  };
}

std::function<int(double&)> indexed(const NvmlDevice& device, const char* name, unsigned which,
                                    double scale) {
  const auto get = device.library().function<NvmlHandle, unsigned, unsigned*>({name});
  return [get, board = device.board(), which, scale](double& value) {
    unsigned raw = 0;
    const int code = get(board, which, &raw);
    value = raw * scale;
    return code;
  };
}

/// The most telling first: what the budget does not hold is cut from the end.
std::vector<Source> sources(const NvmlDevice& device) {
  using enum HealthKind;
  std::vector<Source> all = {
      {{"power_event_time", "ns", counter}, 74, 1, violation_time(device, 0)},
      {{"thermal_event_time", "ns", counter}, 75, 1, violation_time(device, 1)},
      {{"clock_event_reasons", "mask", mask},
       0,
       1,
       plain<unsigned long long>(device, {"nvmlDeviceGetCurrentClocksEventReasons",
                                          "nvmlDeviceGetCurrentClocksThrottleReasons"})},
      {{"sm_clock", "hertz", gauge}, 0, 1, indexed(device, "nvmlDeviceGetClockInfo", 1, 1e6)},
      {{"memory_clock", "hertz", gauge}, 0, 1, indexed(device, "nvmlDeviceGetClockInfo", 2, 1e6)},
      {{"temperature", "celsius", gauge}, 0, 1, indexed(device, "nvmlDeviceGetTemperature", 0, 1)},
  };
  const auto moved = moved_event_fields(device.library().driver_version());
  if (moved.size() == 3) {
    all.push_back({{"sw_thermal_event_time", "ns", counter}, moved[0]});
    all.push_back({{"hw_thermal_event_time", "ns", counter}, moved[1]});
    all.push_back({{"hw_power_brake_event_time", "ns", counter}, moved[2]});
  }
  const std::vector<Source> rest = {
      {{"sync_boost_event_time", "ns", counter}, 76, 1, violation_time(device, 2)},
      {{"board_limit_event_time", "ns", counter}, 77, 1, violation_time(device, 3)},
      {{"reliability_event_time", "ns", counter}, 79, 1, violation_time(device, 5)},
      {{"ecc_corrected", "count", counter}, 3},
      {{"ecc_uncorrected", "count", counter}, 4},
      {{"energy", "joules", counter}, 83, 1e-3},
      {{"power", "watts", gauge}, 186, 1e-3},
      {{"memory_temperature", "celsius", gauge}, 82},
      {{"row_remaps_corrected", "count", counter}, 142},
      {{"row_remaps_uncorrected", "count", counter}, 143},
      {{"pcie_replays", "count", counter}, 94},
  };
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

GetFields get_fields(const NvmlLibrary& library) {
  return library.function<NvmlHandle, int, FieldValue*>({"nvmlDeviceGetFieldValues"});
}

double read_field(const NvmlDevice& device, unsigned id, int& code) {
  FieldValue field{.id = id};
  code = get_fields(device.library())(device.board(), 1, &field);
  code = code == nvml::kSuccess ? field.code : code;
  return code == nvml::kSuccess ? number_of(field) : kUnreadable;
}

/// Nanoseconds of the cheapest of three calls: the first of a kind also sets things up, and two runs
/// should keep the same items.
template <typename Read>
double cost_ns(Read read) {
  using Clock = std::chrono::steady_clock;
  double cheapest_ns = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const auto start = Clock::now();
    read();
    const std::chrono::duration<double, std::nano> ns = Clock::now() - start;
    cheapest_ns = std::min(cheapest_ns, ns.count());
  }
  return cheapest_ns;
}

}  // namespace

Health::Health(const NvmlDevice& device, double budget_ns)
    : board_(device.board()), library_(&device.library()) {
  if (!device.refusal().empty()) {
    missing_.push_back("health: " + device.refusal());
    return;
  }
  double spent_ns = 0;
  for (const Source& source : sources(device)) {
    int code = nvml::kFunctionNotFound;
    if (source.field != 0) {
      read_field(device, source.field, code);
    }
    const bool as_field = code == nvml::kSuccess;
    double ignored = 0;
    if (!as_field && source.call) {
      code = source.call(ignored);
    }
    const std::string name = "health " + source.item.name;
    if (code != nvml::kSuccess) {
      missing_.push_back(name + ": " + library_->error_text(code));
      continue;
    }
    const double ns = as_field ? cost_ns([&] { read_field(device, source.field, code); })
                               : cost_ns([&] { code = source.call(ignored); });
    if (spent_ns + ns > budget_ns) {
      missing_.push_back(
          fmt::format("{}: too slow to be read around every point, the {:.0f} us "
                      "that a reading may take are used up",
                      name, budget_ns / 1e3));
      continue;
    }
    spent_ns += ns;
    items_.push_back(source.item);
    if (as_field) {
      fields_.push_back({items_.size() - 1, source.field, source.scale});
    } else {
      calls_.push_back({items_.size() - 1, [call = source.call] {
                          double value = 0;
                          return call(value) == nvml::kSuccess ? value : kUnreadable;
                        }});
    }
  }
}

std::vector<double> Health::read() const {
  std::vector<double> values(items_.size(), kUnreadable);
  std::vector<FieldValue> fields;
  for (const Field& field : fields_) {
    fields.push_back({.id = field.id});
  }
  if (!fields.empty() && get_fields(*library_)(board_, static_cast<int>(fields.size()),
                                               fields.data()) == nvml::kSuccess) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      values[fields_[i].item] = number_of(fields[i]) * fields_[i].scale;
    }
  }
  for (const Call& call : calls_) {
    values[call.item] = call.read();
  }
  return values;
}

}  // namespace cuda
