#include "model/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "model/faults.hpp"

namespace model {
namespace {

constexpr int kWindows = 16;            // raw samples of a repetition
constexpr double kClockWindowNs = 1e6;  // over which the clock that ran is said to be measured
constexpr double kClockNoise = 2e-5;    // a steady clock, read with steps of 32 ns in 1 ms
// The model reaches 95 % of the ceilings it states, so that noise does not make it impossible.
constexpr double kShareOfCeiling = 0.95;

const std::vector<std::string>& operations() {
  static const std::vector<std::string> words{"read", "write", "copy", "triad"};
  return words;
}

// Writes and mixed traffic turn the bus around: a few per cent less than reading, as on real
// memory.
double share_of_read(const std::string& operation) {
  if (operation == "write") return 0.96;
  if (operation == "copy") return 0.90;
  if (operation == "triad") return 0.92;
  return 1;
}

core::Axis footprint_axis(const std::string& meaning) {
  core::Axis axis{.name = "footprint",
                  .unit = std::string(core::unit::kBytes),
                  .meaning = meaning,
                  .min = 1024,
                  .multiple_of = 128};
  for (std::int64_t bytes = 1024; bytes <= (std::int64_t{256} << 20); bytes *= 2) {
    axis.automatic.push_back(fmt::format("{}B", bytes));
    axis.automatic.push_back(fmt::format("{}B", bytes / 2 * 3));
  }
  return axis;
}

std::string too_large(const core::Point& point, const core::Capacities& capacities) {
  const std::int64_t free_bytes = capacities.get("free_memory");
  const std::int64_t footprint_bytes = point.number("footprint");
  if (free_bytes == 0 || footprint_bytes <= free_bytes) return {};
  return fmt::format("needs {}, {} are free", core::format_bytes(footprint_bytes),
                     core::format_bytes(free_bytes));
}

core::Cost cost_of(const core::Point& point, const core::Capacities&) {
  const std::int64_t footprint_bytes = point.number("footprint");
  return {.memory_bytes = footprint_bytes,
          .moved_bytes = static_cast<double>(footprint_bytes),
          .seconds = 1e-5};
}

core::ProbeSpec latency_spec() {
  return {.name = "latency/global",
          .answers = std::string(core::answers::kLevelLatency),
          .question = "How far is the level that holds a footprint? (simulated)",
          .method = "closed form with seeded noise; nothing is measured",
          .axes = {footprint_axis("bytes that one chase walks")},
          .skip = too_large,
          .cost = cost_of};
}

core::ProbeSpec bandwidth_spec() {
  core::Axis operation{.name = "operation",
                       .unit = {},
                       .meaning = "what is done with every element",
                       .words = operations(),
                       .automatic = operations()};
  return {.name = "bandwidth/global",
          .answers = std::string(core::answers::kLevelBandwidth),
          .question = "How wide is the level that holds a footprint? (simulated)",
          .method = "closed form with seeded noise; nothing is measured",
          .axes = {std::move(operation), footprint_axis("bytes over all SMs in private chunks")},
          .skip = too_large,
          .cost = cost_of};
}

// Half of the noise variance belongs to the repetition (placement), half to the window: medians
// over windows then do not make repetitions agree better than they would on a device.
class Noise {
 public:
  Noise(double relative, std::uint64_t seed)
      : relative_(relative / std::sqrt(2.0)), random_(seed), of_repetition_(draw()) {}
  double window() { return of_repetition_ * draw(); }
  double normal() { return random_.normal(); }

 private:
  double draw() { return std::max(0.01, 1 + relative_ * random_.normal()); }
  double relative_;
  core::Random random_;
  double of_repetition_;
};

// The mathematical library's last bits differ between machines; what is rounded here does not.
double to_three_decimals(double value) { return std::round(value * 1000) / 1000; }

double middle(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

class Model : public core::Backend {
 public:
  explicit Model(Hierarchy hierarchy) : hierarchy_(std::move(hierarchy)) {}

  std::vector<core::ProbeSpec> probes() const override {
    return {bandwidth_spec(), latency_spec()};
  }
  std::string unavailable() override { return {}; }
  core::Description describe() override;
  std::string prepare(std::int64_t memory_bytes) override;
  core::Samples measure(const core::Point& point, const core::Trial& trial) override;

 private:
  std::int64_t free_bytes() const { return hierarchy_.memory_bytes / 8 * 7; }
  core::Samples latency(const core::Point& point, Noise& noise) const;
  core::Samples bandwidth(const core::Point& point, Noise& noise) const;

  Hierarchy hierarchy_;
};

core::Description Model::describe() {
  core::Description description{
      .backend = "model",
      .device = fmt::format("model of {} levels", hierarchy_.levels.size()),
      .simulated = true};
  int cache = 0;
  for (const ModelLevel& level : hierarchy_.levels) {
    const bool is_memory = level.capacity_bytes == 0;
    const double per_sm = level.bytes_per_cycle_per_sm / kShareOfCeiling;
    description.levels.push_back(
        {.name = level.name,
         .scope = level.scope,
         .family = is_memory ? core::Family::memory : core::Family::cache,
         .stated_capacity_bytes = is_memory ? hierarchy_.memory_bytes : level.capacity_bytes,
         .stated_by = "the model",
         .ceiling_bytes_per_s = per_sm * hierarchy_.sm_count * hierarchy_.clock_hertz,
         .ceiling_bytes_per_cycle_per_sm = per_sm,
         .ceiling_source = "the model"});
    if (is_memory) continue;
    const std::string key = fmt::format("l{}", ++cache);
    description.capacities.set(key, level.capacity_bytes);
    if (level.scope == "SM")
      description.capacities.set(key + "_total", level.capacity_bytes * hierarchy_.sm_count);
  }
  description.capacities.set("memory", hierarchy_.memory_bytes);
  description.capacities.set("free_memory", free_bytes());
  description.capacities.set("sm_count", hierarchy_.sm_count);
  description.properties = {{"clock_hertz", hierarchy_.clock_hertz},
                            {"noise", hierarchy_.noise},
                            {"transition_octaves", hierarchy_.transition}};
  return description;
}

std::string Model::prepare(std::int64_t memory_bytes) {
  if (memory_bytes > free_bytes())
    throw core::UnavailableError(fmt::format("the run needs {}, the model has {} free",
                                             core::format_bytes(memory_bytes),
                                             core::format_bytes(free_bytes())));
  return "simulated: nothing to warm up";
}

core::Samples Model::latency(const core::Point& point, Noise& noise) const {
  const std::int64_t footprint_bytes = point.number("footprint");
  const double truth = latency_cycles(hierarchy_, footprint_bytes);
  core::Column windows{.name = "window", .unit = std::string(core::unit::kCycles), .values = {}};
  for (int i = 0; i < kWindows; ++i)
    windows.values.push_back(to_three_decimals(truth * noise.window()));
  const double cycles = middle(windows.values);
  const double ns = cycles / hierarchy_.clock_hertz * 1e9;
  return {.metrics = {{"latency", std::string(core::unit::kCycles), cycles},
                      {"latency", std::string(core::unit::kNanoseconds), ns}},
          .columns = {std::move(windows)},
          .time_ns = ns};
}

core::Samples Model::bandwidth(const core::Point& point, Noise& noise) const {
  const std::int64_t footprint_bytes = point.number("footprint");
  const double truth = read_bytes_per_cycle_per_sm(hierarchy_, footprint_bytes) *
                       share_of_read(point.word("operation"));
  const double to_bytes_per_s = hierarchy_.sm_count * hierarchy_.clock_hertz;
  core::Column passes{
      .name = "pass", .unit = std::string(core::unit::kBytesPerSecond), .values = {}};
  for (int i = 0; i < kWindows; ++i)
    passes.values.push_back(std::round(truth * noise.window() * to_bytes_per_s));
  const double bytes_per_s = middle(passes.values);
  return {.metrics = {{"bandwidth", std::string(core::unit::kBytesPerCyclePerSm),
                       bytes_per_s / to_bytes_per_s},
                      {"bandwidth", std::string(core::unit::kBytesPerSecond), bytes_per_s}},
          .columns = {std::move(passes)},
          .time_ns = static_cast<double>(footprint_bytes) / bytes_per_s * 1e9};
}

core::Samples Model::measure(const core::Point& point, const core::Trial& trial) {
  // Nothing but these three: an answer does not depend on what was asked before it.
  Noise noise(hierarchy_.noise, core::mix_seed(core::mix_seed(trial.seed, point.id()),
                                               static_cast<std::uint64_t>(trial.repetition)));
  core::Samples samples;
  if (point.probe == "latency/global")
    samples = latency(point, noise);
  else if (point.probe == "bandwidth/global")
    samples = bandwidth(point, noise);
  else
    throw core::MeasureError("the model has no probe " + point.probe);
  samples.clock = {.cycles = std::round(hierarchy_.clock_hertz * kClockWindowNs / 1e9 *
                                        (1 + kClockNoise * noise.normal())),
                   .ns = kClockWindowNs,
                   .method = "model"};
  samples.facts = {{"footprint", std::string(core::unit::kBytes),
                    static_cast<double>(point.number("footprint"))}};
  samples.checks = {{.name = "final index",
                     .verdict = core::Verdict::not_applicable,
                     .detail = "closed form: nothing is walked"}};
  return samples;
}

}  // namespace

std::unique_ptr<core::Backend> make_backend(const Hierarchy& hierarchy) {
  auto backend = std::make_unique<Model>(hierarchy);
  const char* injected = std::getenv("MICRO_INJECT");
  if (injected == nullptr || *injected == '\0') return backend;
  return with_faults(std::move(backend), std::string_view(injected));
}

}  // namespace model
