#pragma once
// Measurements made up for tests: a GPU with the levels of an H200, and curves with known truth.

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/answers.hpp"
#include "core/backend.hpp"
#include "core/chain.hpp"
#include "core/measurement.hpp"
#include "map/memory_map.hpp"
#include "model/backend.hpp"
#include "stats/summary.hpp"

namespace synthetic {

inline constexpr std::int64_t kKiB = 1024;
inline constexpr std::int64_t kMiB = 1024 * kKiB;
inline constexpr double kClockHertz = 1.98e9;
inline constexpr int kSms = 132;

inline core::Description gpu() {
  return {.backend = "cuda",
          .device = "NVIDIA H200",
          .capacities = {{"l1", 248 * kKiB}, {"l2", 60 * kMiB}, {"sm_count", kSms}},
          .levels = {{.name = "Registers",
                      .scope = "SM",
                      .family = core::Family::operand,
                      .stated_capacity_bytes = 256 * kKiB,
                      .ceiling_operations_per_cycle_per_sm = 128,
                      .ceiling_source = "128 lanes"},
                     {.name = "Shared",
                      .scope = "SM",
                      .family = core::Family::scratchpad,
                      .stated_capacity_bytes = 227 * kKiB,
                      .ceiling_bytes_per_cycle_per_sm = 128,
                      .ceiling_source = "32 banks x 4 bytes"},
                     {.name = "L1",
                      .scope = "SM",
                      .stated_capacity_bytes = 248 * kKiB,
                      .reached_by = "ca",
                      .ceiling_bytes_per_cycle_per_sm = 128,
                      .ceiling_source = "one line a clock"},
                     {.name = "L2",
                      .scope = "GPU",
                      .stated_capacity_bytes = 60 * kMiB,
                      .reached_by = "cg",
                      .ceiling_source = "none known"},
                     {.name = "HBM",
                      .scope = "GPU",
                      .family = core::Family::memory,
                      .stated_capacity_bytes = std::int64_t{141} * 1000 * 1000 * 1000,
                      .reached_by = "cg",
                      .ceiling_bytes_per_s = 4.814e12,
                      .ceiling_source = "pin rate"}}};
}

inline core::Setting word(const std::string& axis, const std::string& value) {
  return {axis, "", value};
}
inline core::Setting footprint(std::int64_t bytes) { return {"footprint", "bytes", bytes}; }

/// Five repetitions of `metrics`, a little apart, with a steady clock.
inline core::Measurement measurement(core::Point point, std::string_view answers,
                                     const std::vector<core::Quantity>& metrics,
                                     double noise = 0.001) {
  core::Measurement made{.point = std::move(point),
                         .answers = std::string(answers),
                         .method = "made up",
                         .repetitions = {},
                         .summary = {}};
  core::Random random(core::mix_seed(1, made.point.id()));
  for (int i = 0; i < 5; ++i) {
    const double factor = std::exp(noise * random.normal());
    core::Repetition repetition{.number = i, .started_utc = {}, .samples = {.metrics = metrics}};
    for (core::Quantity& metric : repetition.samples.metrics) metric.value *= factor;
    repetition.samples.clock = {.cycles = kClockHertz * 1e-3, .ns = 1e6, .method = "made up"};
    repetition.samples.checks = {{"final index", core::Verdict::pass, ""}};
    made.repetitions.push_back(std::move(repetition));
  }
  made.summary = stats::summarize(made.repetitions);
  return made;
}

inline core::Measurement chase(const std::string& cache_operator, std::int64_t bytes,
                               double cycles) {
  return measurement(
      {.probe = "latency/global", .settings = {word("operator", cache_operator), footprint(bytes)}},
      core::answers::kLevelLatency,
      {{"latency", "cycles", cycles}, {"latency", "ns", cycles / kClockHertz * 1e9}});
}

/// The same by a probe that has other methods beside the pointer chase.
inline core::Measurement chase_by(const std::string& method, const std::string& cache_operator,
                                  std::int64_t bytes, double cycles) {
  return measurement(
      {.probe = "latency/global",
       .settings = {word("operator", cache_operator), footprint(bytes), word("method", method)}},
      core::answers::kLevelLatency,
      {{"latency", "cycles", cycles}, {"latency", "ns", cycles / kClockHertz * 1e9}});
}

inline core::Measurement stream(const std::string& operation, const std::string& cache_operator,
                                std::int64_t bytes, double bytes_per_s) {
  return measurement({.probe = "bandwidth/global",
                      .settings = {word("operation", operation), word("operator", cache_operator),
                                   footprint(bytes)}},
                     core::answers::kLevelBandwidth,
                     {{"bandwidth", "bytes_per_cycle_per_sm", bytes_per_s / kClockHertz / kSms},
                      {"bandwidth", "bytes_per_s", bytes_per_s}});
}

inline core::Measurement one_number(const std::string& probe, std::vector<core::Setting> settings,
                                    std::string_view answers, core::Quantity metric) {
  return measurement({.probe = probe, .settings = std::move(settings)}, answers,
                     {std::move(metric)});
}

/// Two points an octave.
inline std::vector<std::int64_t> sweep(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> all;
  for (std::int64_t bytes = from; bytes <= to; bytes *= 2) {
    all.push_back(bytes);
    if (bytes / 2 * 3 <= to) all.push_back(bytes / 2 * 3);
  }
  return all;
}

inline double ca_cycles(std::int64_t bytes) {
  return bytes <= 240 * kKiB ? 32.5 : bytes <= 60 * kMiB ? 268 : 690;
}

/// A full run on the made-up GPU: every family, every level.
inline std::vector<core::Measurement> full_run() {
  std::vector<core::Measurement> all;
  for (const std::int64_t bytes : sweep(kKiB, 1024 * kMiB)) {
    all.push_back(chase("ca", bytes, ca_cycles(bytes)));
    all.push_back(chase("cg", bytes, bytes <= 60 * kMiB ? 268 : 690));
  }
  for (const std::int64_t bytes : sweep(kMiB, 2048 * kMiB)) {
    const double l1 = 126.0 * kSms * kClockHertz, l2 = 9.5e12;
    all.push_back(stream("read", "ca", bytes,
                         bytes <= kSms * 240 * kKiB ? l1
                         : bytes <= 60 * kMiB       ? l2
                                                    : 4.5e12));
    all.push_back(stream("read", "cg", bytes, bytes <= 60 * kMiB ? l2 : 4.5e12));
    all.push_back(stream("write", "cg", bytes, bytes <= 60 * kMiB ? 4.0e12 : 4.4e12));
    all.push_back(stream("copy", "cg", bytes, bytes <= 60 * kMiB ? 5e12 : 4.1e12));
  }
  for (const auto& [operation, cycles] :
       {std::pair{"shuffle", 24.1}, {"ffma", 4.02}, {"dfma", 8.05}, {"imad", 4.03}})
    all.push_back(one_number("latency/register", {word("operation", operation)},
                             core::answers::kOperandLatency, {"latency", "cycles", cycles}));
  for (const auto& [method, cycles] : {std::pair{"index", 29.5}, {"raw", 23.1}})
    all.push_back(one_number("latency/shared", {word("method", method)},
                             core::answers::kScratchpadLatency, {"latency", "cycles", cycles}));
  for (const std::int64_t warps : {4, 8, 16, 32})
    for (const std::int64_t chains : {1, 2, 4, 8})
      all.push_back(one_number(
          "bandwidth/register",
          {word("operation", "ffma"), {"chains", "count", chains}, {"warps", "count", warps}},
          core::answers::kOperandRate,
          {"rate", "operations_per_cycle_per_sm",
           std::min(126.5, 8.0 * static_cast<double>(warps * chains))}));
  for (const char* operation : {"write", "read"})
    for (const std::int64_t width : {4, 8, 16})
      all.push_back(one_number(
          "bandwidth/shared", {word("operation", operation), {"width", "bytes", width}},
          core::answers::kScratchpadBandwidth,
          {"bandwidth", "bytes_per_cycle_per_sm", 126.0 + static_cast<double>(width) / 16}));
  for (const auto& [method, cycles] : {std::pair{"globaltimer", 20.0}, {"clock64", 2.5}})
    all.push_back(one_number("overhead/clock", {word("method", method)}, core::answers::kClockCost,
                             {"cost", "cycles", cycles}));
  for (const auto& [method, ns] :
       {std::pair{"sync", 9000.0}, {"graph", 1300.0}, {"stream", 2400.0}})
    all.push_back(one_number("overhead/launch", {word("method", method)},
                             core::answers::kLaunchCost, {"cost", "ns", ns}));
  return all;
}

inline map::MemoryMap map_of(std::vector<core::Measurement> measurements,
                             const core::Description& description = gpu()) {
  return map::draw(map::judge(std::move(measurements), description), description);
}

inline const map::MapLevel& level(const map::MemoryMap& map, const std::string& name) {
  for (const map::MapLevel& one : map.levels)
    if (one.name == name) return one;
  throw std::out_of_range("no level " + name);
}
// Of a map that dies with the expression: a copy.
inline map::MapLevel level(map::MemoryMap&& map, const std::string& name) {
  return level(std::as_const(map), name);
}

/// Runs every automatic point of the model, as a plain loop.
inline std::vector<core::Measurement> run_model(core::Backend& backend, std::uint64_t seed,
                                                int repetitions = 5) {
  std::vector<core::Measurement> all;
  for (const core::ProbeSpec& spec : backend.probes()) {
    std::vector<core::Point> points{{.probe = spec.name, .settings = {}}};
    for (const core::Axis& axis : spec.axes) {
      std::vector<core::Point> longer;
      for (const core::Point& point : points)
        for (const std::string& text : axis.automatic) {
          longer.push_back(point);
          const core::AxisValue value = axis.takes_words()
                                            ? core::AxisValue(text)
                                            : core::AxisValue(std::int64_t{std::stoll(text)});
          longer.back().settings.push_back({axis.name, axis.unit, value});
        }
      points = std::move(longer);
    }
    for (const core::Point& point : points) {
      core::Measurement measured{.point = point, .answers = spec.answers, .method = spec.method};
      for (int i = 0; i < repetitions; ++i)
        measured.repetitions.push_back(
            {.number = i,
             .started_utc = {},
             .samples = backend.measure(point, {.seed = seed, .repetition = i})});
      measured.summary = stats::summarize(measured.repetitions);
      all.push_back(std::move(measured));
    }
  }
  return all;
}

}  // namespace synthetic
