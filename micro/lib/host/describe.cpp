#include "host/describe.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "host/core_clock.hpp"
#include "host/machine_code.hpp"
#include "host/pinning.hpp"
#include "host/vector_width.hpp"

namespace host {
namespace {

constexpr const char* kNoCeiling =
    "none known: no CPU says the width of its ports or the rate of its memory";

std::vector<core::Level> levels_of(const DeviceInfo& device) {
  std::vector<core::Level> levels;
  for (const Cache& cache : device.caches)
    levels.push_back({.name = fmt::format("L{}", cache.level),
                      .scope = scope_of(cache, device),
                      .family = core::Family::cache,
                      .stated_capacity_bytes = cache.size_bytes,
                      .stated_by = cache.stated_by,
                      .ceiling_source = kNoCeiling});
  levels.push_back({.name = "DRAM",
                    .scope = "machine",
                    .family = core::Family::memory,
                    .stated_capacity_bytes = device.memory.total_bytes,
                    .stated_by = "MemTotal of /proc/meminfo, or the control group's limit",
                    .ceiling_source = kNoCeiling});
  return levels;
}

core::Capacities capacities_of(const DeviceInfo& device) {
  core::Capacities capacities;
  for (const Cache& cache : device.caches)
    capacities.set(fmt::format("l{}", cache.level), cache.size_bytes);
  if (capacities.has("l1")) capacities.set("l1_total", capacities.get("l1") * device.core_count);
  capacities.set("memory", device.memory.total_bytes);
  capacities.set("free_memory", device.memory.free_bytes);
  capacities.set("sm_count", device.core_count);
  return capacities;
}

core::Facts properties_of(const Context& context) {
  const DeviceInfo& device = context.device;
  core::Facts facts{
      {"identity", std::string("SHA-256 of /etc/machine-id and the CPU model, shortened")},
      {"core_count", std::int64_t{device.core_count}},
      {"cpu_count", static_cast<std::int64_t>(device.cpus.size())},
      {"vector_extension", vector_extension()},
      {"virtual_machine", device.virtual_machine}};
  for (const Cache& cache : device.caches) {
    const std::string name = fmt::format("l{}", cache.level);
    facts.push_back({name + "_line_bytes", std::int64_t{cache.line_bytes}});
    facts.push_back({name + "_ways", std::int64_t{cache.ways}});
    facts.push_back(
        {name + "_shared_by_cpu_count", static_cast<std::int64_t>(cache.shared_cpus.size())});
  }
  return facts;
}

core::Facts explanations_of(const Context& context) {
  const DeviceInfo& device = context.device;
  core::Facts facts{{"kernel", device.kernel},
                    {"timer", context.timer.source},
                    {"timer_resolution_ns", context.timer.resolution_ns},
                    {"timer_read_ns", context.timer.read_ns}};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) facts.push_back({name, value});
  };
  add("microcode", device.microcode);
  add("governor", device.governor);
  add("transparent_huge_pages", device.huge_pages);
  add("page_policy", context.arena.page_policy());
  return facts;
}

}  // namespace

core::Description describe(const Context& context) {
  const DeviceInfo& device = context.device;
  core::Description description{.backend = "host",
                                .device = device.model.empty() ? "unknown CPU" : device.model,
                                .uuid = device.identity,
                                .machine_code_sha256 = machine_code_sha256(),
                                .capacities = capacities_of(device),
                                .levels = levels_of(device),
                                .properties = properties_of(context),
                                .explanations = explanations_of(context),
                                .missing = device.missing};
  description.missing.push_back(
      "hardware counters: not read on this backend; cycles come from dependent additions");
  const ScopedPin pin(device.cpu());
  if (pin.refused().empty())
    description.state.push_back({"pinned_cpu", std::int64_t{device.cpu()}});
  else
    description.missing.push_back("pinning: " + pin.refused());
  description.state.push_back({"core_clock_hertz", measure_core_clock().hertz()});
  double load[1] = {0};
  if (getloadavg(load, 1) == 1)
    description.state.push_back({"load_average", load[0]});
  else
    description.missing.push_back("load average: not available");
  return description;
}

}  // namespace host
