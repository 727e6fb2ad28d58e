#include "host/context.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include "core/chain.hpp"

namespace host {

std::uint64_t seed_of(const core::Point& point, const core::Trial& trial) {
  return core::mix_seed(core::mix_seed(trial.seed, point.id()),
                        static_cast<std::uint64_t>(trial.repetition));
}

std::int64_t Context::preemptions() const {
  if (faults.preemptions) return faults.preemptions();
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

core::Check check_resolution(const TimerInfo& timer, double interval_ns) {
  constexpr double kLeastSteps = 200;  // half a percent
  return {.name = "timer resolution",
          .verdict = interval_ns >= kLeastSteps * timer.resolution_ns ? core::Verdict::pass
                                                                      : core::Verdict::fail,
          .detail = fmt::format("median interval {:.0f} ns, timer resolution {:.0f} ns",
                                interval_ns, timer.resolution_ns)};
}

}  // namespace host
