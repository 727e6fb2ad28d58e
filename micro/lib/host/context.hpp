#pragma once
// What a host probe is handed, and how it registers.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/point.hpp"
#include "core/registry.hpp"
#include "core/samples.hpp"
#include "host/arena.hpp"
#include "host/device_info.hpp"
#include "host/timer.hpp"

namespace host {

/// For tests of the checks themselves: spoil what a probe has laid into memory, or what it left
/// there, or take its core away. Empty in every other program.
struct Faults {
  std::function<void(std::span<std::byte>)> before_windows = {};
  std::function<void(std::span<std::byte>)> before_checks = {};
  std::function<std::int64_t()> preemptions = {};
};

struct Context {
  DeviceInfo device;
  TimerInfo timer;
  Arena arena;
  Faults faults = {};

  /// How often the kernel has taken its core away from the calling thread.
  std::int64_t preemptions() const;
};

/// One repetition of one point, on a thread pinned to context.device.cpu(). Throws
/// core::MeasureError, core::SkipError.
using MeasureFn = core::Samples(Context&, const core::Point&, const core::Trial&);
using Registry = core::Registry<MeasureFn>;
using Registered = core::Registered<MeasureFn>;

/// The seed of what a point puts into memory in this repetition.
std::uint64_t seed_of(const core::Point& point, const core::Trial& trial);

/// The check "timer resolution": the median interval that a number comes from is at least 200
/// times what the timer can tell apart.
core::Check check_resolution(const TimerInfo& timer, double interval_ns);

}  // namespace host
