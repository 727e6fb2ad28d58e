#pragma once
// Probes with axes of every kind: a plan can be tested without a backend.

#include <string>
#include <utility>
#include <vector>

#include "core/probe_spec.hpp"

namespace support {

inline core::Axis words(std::string name, std::vector<std::string> all) {
  return {.name = std::move(name), .unit = "", .meaning = "", .words = all, .automatic = all};
}

inline core::Axis numbers(std::string name, std::vector<std::int64_t> allowed) {
  core::Axis axis{.name = std::move(name), .unit = "count", .meaning = "", .allowed = allowed};
  for (const std::int64_t number : allowed) axis.automatic.push_back(std::to_string(number));
  return axis;
}

inline core::Axis footprint() {
  return {.name = "footprint",
          .unit = "bytes",
          .meaning = "",
          .min = 1024,
          .max = std::int64_t{1} << 40,
          .multiple_of = 128,
          .automatic = {"16KiB", "0.1 x l2"}};
}

/// Some probes like those of the CUDA backend, for tests of plans; costs are the footprint and a second per GiB.
inline std::vector<core::ProbeSpec> gpu_specs() {
  const auto cost = [](const core::Point& point, const core::Capacities&) {
    const std::int64_t bytes = point.has("footprint") ? point.number("footprint") : 4096;
    return core::Cost{.memory_bytes = bytes,
                      .moved_bytes = static_cast<double>(bytes),
                      .seconds = static_cast<double>(bytes) / (1 << 30)};
  };
  const auto probe = [&](std::string name, std::vector<core::Axis> axes) {
    core::ProbeSpec spec;
    spec.name = std::move(name);
    spec.axes = std::move(axes);
    spec.cost = cost;
    return spec;
  };
  core::Axis width = numbers("width", {4, 8, 16});
  width.unit = "bytes";
  std::vector<core::ProbeSpec> specs = {
      probe("latency/register", {words("operation", {"ffma", "imad", "dfma", "shuffle"})}),
      probe("latency/shared", {words("method", {"raw", "index"})}),
      probe("latency/global", {words("operator", {"ca", "cg"}), footprint()}),
      probe("bandwidth/register", {words("operation", {"ffma"}), numbers("chains", {1, 2, 4, 8}),
                                   numbers("warps", {4, 8, 16, 32})}),
      probe("bandwidth/shared", {words("operation", {"read", "write"}), width}),
      probe("bandwidth/global", {words("operation", {"read", "write", "copy", "triad"}),
                                 words("operator", {"ca", "cg"}), footprint()}),
      probe("overhead/clock", {words("method", {"clock64", "globaltimer"})}),
      probe("overhead/launch", {words("method", {"stream", "graph", "sync"})})};
  specs[5].refuse = [](const core::Point& point) {
    return point.word("operator") == "ca" && point.word("operation") != "read"
               ? std::string("operator ca only reads; cg")
               : std::string();
  };
  return specs;
}

}  // namespace support
