#include "host/backend.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/units.hpp"
#include "host/context.hpp"
#include "host/core_clock.hpp"
#include "host/describe.hpp"
#include "host/pinning.hpp"

namespace host {
namespace {

struct Disturbances {
  double preemptions = 0;
  double page_faults = 0;
};

Disturbances disturbances() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {static_cast<double>(usage.ru_nivcsw),
          static_cast<double>(usage.ru_minflt + usage.ru_majflt)};
}

class HostBackend : public core::Backend {
 public:
  HostBackend() { context_.timer = measure_timer(); }

  std::vector<core::ProbeSpec> probes() const override {
    std::vector<core::ProbeSpec> specs;
    for (const Registry::Probe& probe : Registry::instance().probes()) specs.push_back(probe.spec);
    return specs;
  }

  std::string unavailable() override { return {}; }

  core::Description describe() override {
    look();
    return host::describe(context_);
  }

  std::string prepare(std::int64_t memory_bytes) override {
    look();
    const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(memory_bytes, 0));
    if (context_.arena.size_bytes() < bytes || context_.arena.size_bytes() == 0) {
      context_.arena = Arena();  // the old one first: both may not fit
      context_.arena = Arena(bytes);
    }
    const ScopedPin pin(context_.device.cpu());
    const WarmUp warm = warm_until_steady();
    const std::string where = pin.refused().empty()
                                  ? fmt::format("pinned to CPU {}", context_.device.cpu())
                                  : "not pinned (" + pin.refused() + ")";
    const std::string clock = core::format_value(warm.clock.hertz(), core::unit::kHertz);
    return fmt::format("core clock {} {} after {} ({} within {:.2f} %), {}; {}",
                       warm.steady ? "steady at" : "not steady, last", clock,
                       core::format_seconds(warm.seconds), "dependent additions", warm.spread * 100,
                       where, context_.arena.page_policy());
  }

  core::Samples measure(const core::Point& point, const core::Trial& trial) override {
    const Registry::Probe* probe = Registry::instance().find(point.probe);
    if (probe == nullptr) throw core::MeasureError("the host has no probe " + point.probe);
    const ScopedPin pin(context_.device.cpu());
    const Disturbances before = disturbances();
    core::Samples samples = probe->measure(context_, point, trial);
    const Disturbances after = disturbances();
    samples.health.push_back(
        {"involuntary_context_switches", "count", after.preemptions - before.preemptions});
    samples.health.push_back({"page_faults", "count", after.page_faults - before.page_faults});
    return samples;
  }

 private:
  // Free memory changes, the rest does not.
  void look() {
    if (context_.device.cpus.empty()) context_.device = query_device("/", allowed_cpus());
    context_.device.memory = read_memory();
  }

  Context context_;
};

}  // namespace

std::unique_ptr<core::Backend> make_backend() { return std::make_unique<HostBackend>(); }

}  // namespace host
