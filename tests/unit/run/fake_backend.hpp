#pragma once
// A backend whose numbers follow from seed, point and repetition alone, and that can be told to
// misbehave.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/backend.hpp"
#include "core/chain.hpp"
#include "run/runner.hpp"

namespace run_test {

class FakeBackend : public core::Backend {
 public:
  using Hook = std::function<void(const core::Point&, const core::Trial&, core::Samples&)>;

  /// Called after the samples were made: changes them, throws, hangs.
  Hook hook = {};
  std::vector<std::pair<std::string, int>> calls = {};
  std::vector<std::int64_t> prepared_bytes = {};

  static core::Samples samples_of(const std::string& id, const core::Trial& trial) {
    core::Random random(core::mix_seed(core::mix_seed(trial.seed, id),
                                       static_cast<std::uint64_t>(trial.repetition)));
    core::Samples samples{.metrics = {{"latency", "cycles", 100 + random.uniform()},
                                      {"latency", "ns", 50 + random.uniform()}},
                          .columns = {{"hops", "cycles", {}}},
                          .time_ns = 10 + random.uniform(),
                          .clock = {1980, 1000, "fake"},
                          .facts = {{"declared", "bytes", 4096}},
                          .checks = {{"final index", core::Verdict::pass, "as predicted"}}};
    for (int i = 0; i < 4; ++i) samples.columns[0].values.push_back(random.normal());
    return samples;
  }

  std::vector<core::ProbeSpec> probes() const override { return {}; }
  std::string unavailable() override { return {}; }
  core::Description describe() override {
    return {.backend = "fake", .device = "Fake", .capacities = {{"l2", 1000}}};
  }
  std::string prepare(std::int64_t memory_bytes) override {
    prepared_bytes.push_back(memory_bytes);
    return "steady at once";
  }
  core::Samples measure(const core::Point& point, const core::Trial& trial) override {
    calls.emplace_back(point.id(), trial.repetition);
    core::Samples samples = samples_of(point.id(), trial);
    if (hook) hook(point, trial, samples);
    return samples;
  }
};

inline core::Point point(std::int64_t footprint_bytes) {
  return {.probe = "latency/global", .settings = {{"footprint", "bytes", footprint_bytes}}};
}

inline const core::ProbeSpec& spec() {
  static const core::ProbeSpec the_spec{
      .name = "latency/global",
      .answers = "level_latency",
      .question = "how far?",
      .method = "a chase",
      .cost = [](const core::Point& p, const core::Capacities& capacities) {
        return core::Cost{.memory_bytes = p.number("footprint") + capacities.get("l2")};
      }};
  return the_spec;
}

/// Points of 128, 256, ... bytes.
inline std::vector<run::Task> tasks(int count, int repetitions) {
  std::vector<run::Task> all;
  for (int i = 1; i <= count; ++i)
    all.push_back({.point = point(128 * i),
                   .spec = &spec(),
                   .repetitions = repetitions,
                   .expected_seconds = 0.001});
  return all;
}

inline run::Identity identity() {
  return {.device_uuid = "GPU-1",
          .device = "Fake",
          .driver = "1.2",
          .config_sha256 = "c0",
          .machine_code_sha256 = "a0",
          .seed = 7};
}

inline run::Options options() { return {.seed = 7, .watchdog_seconds = 0}; }

}  // namespace run_test
