#pragma once
// A probe by its name, and a context of this machine to run it in.

#include <gtest/gtest.h>

#include <algorithm>

#include "host/context.hpp"
#include "host/pinning.hpp"

namespace host_test {

inline const host::Registry::Probe& probe(const std::string& name) {
  const host::Registry::Probe* found = host::Registry::instance().find(name);
  if (found == nullptr) throw std::runtime_error("no probe " + name);
  return *found;
}

inline host::Context context(std::size_t arena_bytes) {
  return {.device = host::query_device("/", host::allowed_cpus()),
          .timer = host::measure_timer(),
          .arena = host::Arena(arena_bytes)};
}

inline core::Samples measure(host::Context& context, const core::Point& point,
                             const core::Trial& trial = {.seed = 1}) {
  const host::ScopedPin pin(context.device.cpu());
  return probe(point.probe).measure(context, point, trial);
}

inline core::Verdict verdict(const core::Samples& samples, const std::string& check) {
  const auto at = std::ranges::find(samples.checks, check, &core::Check::name);
  EXPECT_NE(at, samples.checks.end()) << "no check " << check;
  return at == samples.checks.end() ? core::Verdict::not_available : at->verdict;
}

inline double value(const core::Samples& samples, const std::string& name,
                    const std::string& unit) {
  const core::Quantity* found = core::find(samples.metrics, name, unit);
  EXPECT_NE(found, nullptr) << "no metric " << name << " in " << unit;
  return found == nullptr ? 0 : found->value;
}

inline double fact(const core::Samples& samples, const std::string& name, const std::string& unit) {
  const core::Quantity* found = core::find(samples.facts, name, unit);
  EXPECT_NE(found, nullptr) << "no fact " << name << " in " << unit;
  return found == nullptr ? -1 : found->value;
}

}  // namespace host_test
