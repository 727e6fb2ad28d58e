#include "example.hpp"

#include <algorithm>
#include <cmath>

#include "core/chain.hpp"
#include "core/units.hpp"

namespace report_test {
namespace {

namespace unit = core::unit;
constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;
constexpr double kClockHertz = 1.98e9;
constexpr int kSmCount = 132;
constexpr int kRepetitions = 5;

// The fixture's own reduction: what is tested here is the report, not the statistics.
core::Estimate estimate(const char* name, std::string_view unit, std::vector<double> values) {
  std::ranges::sort(values);
  const double median = values[values.size() / 2];
  std::vector<double> off;
  for (const double value : values) off.push_back(std::abs(value - median));
  std::ranges::sort(off);
  return {.name = name,
          .unit = std::string(unit),
          .value = median,
          .low = values.front(),
          .high = values.back(),
          .confidence = 1 - std::pow(0.5, static_cast<double>(values.size()) - 1),
          .n = static_cast<int>(values.size()),
          .spread = off[off.size() / 2]};
}

core::Repetition repetition(int number, std::vector<core::Quantity> metrics, core::Column column,
                            double time_ns, core::Random& random) {
  return {.number = number,
          .started_utc = "2026-11-30T20:15:0" + std::to_string(number) + ".250Z",
          .samples = {.metrics = std::move(metrics),
                      .columns = {std::move(column)},
                      .time_ns = time_ns,
                      .clock = {.cycles = std::round(1980000 + 20 * random.normal()),
                                .ns = 1000000,
                                .method = "clock64 over globaltimer"},
                      .facts = {{"lines", "count", 4096}, {"hops", "count", 2048}},
                      .checks = {{"final index", core::Verdict::pass, ""}}}};
}

core::Measurement chase(core::Point point, const char* answers, double cycles, double noise) {
  core::Random random(core::mix_seed(1, point.id()));
  core::Measurement made{
      .point = std::move(point), .answers = answers, .method = "difference of two chain lengths"};
  std::vector<double> medians;
  for (int n = 0; n < kRepetitions; ++n) {
    const double centre = cycles * (1 + noise * random.normal());
    core::Column windows{.name = "window", .unit = "cycles", .values = {}};
    for (int i = 0; i < 64; ++i)
      windows.values.push_back(std::round(16 * centre * (1 + noise * random.normal())));
    medians.push_back(centre);
    made.repetitions.push_back(repetition(
        n, {{"latency", "cycles", centre}, {"latency", "ns", centre / kClockHertz * 1e9}},
        std::move(windows), centre / kClockHertz * 1e9, random));
  }
  made.summary = {estimate("latency", unit::kCycles, medians)};
  for (double& value : medians) value *= 1e9 / kClockHertz;
  made.summary.push_back(estimate("latency", unit::kNanoseconds, medians));
  return made;
}

core::Measurement stream(core::Point point, const char* answers, double bytes_per_s, double noise) {
  core::Random random(core::mix_seed(2, point.id()));
  core::Measurement made{
      .point = std::move(point), .answers = answers, .method = "passes over private chunks"};
  std::vector<double> medians;
  for (int n = 0; n < kRepetitions; ++n) {
    const double centre = bytes_per_s * (1 + noise * random.normal());
    core::Column passes{.name = "pass", .unit = "ns", .values = {}};
    for (int i = 0; i < 16; ++i)
      passes.values.push_back(32 * std::round(1e6 * (1 + noise * random.normal()) / 32));
    medians.push_back(centre);
    made.repetitions.push_back(
        repetition(n,
                   {{"bandwidth", "bytes_per_cycle_per_sm", centre / kClockHertz / kSmCount},
                    {"bandwidth", "bytes_per_s", centre}},
                   std::move(passes), 1e6, random));
  }
  made.summary = {estimate("bandwidth", unit::kBytesPerSecond, medians)};
  for (double& value : medians) value /= kClockHertz * kSmCount;
  made.summary.insert(made.summary.begin(),
                      estimate("bandwidth", unit::kBytesPerCyclePerSm, medians));
  return made;
}

double smooth(double footprint, double capacity, double octaves) {
  return std::clamp(std::log2(footprint / capacity) / octaves + 0.5, 0.0, 1.0);
}

double latency_cycles(const std::string& op, double footprint) {
  const double l2 = 270 + 12 * smooth(footprint, 4e6, 6) + 218 * smooth(footprint, 38e6, 1.0) +
                    165 * smooth(footprint, 72e6, 0.7) + 12 * smooth(footprint, 2e9, 3);
  return op == "cg" ? l2 : 33 + (l2 - 33) * smooth(footprint, 225.0 * kKiB, 0.3);
}

double bytes_per_s(const std::string& operation, double footprint) {
  const double share = operation == "read"    ? 1
                       : operation == "write" ? 0.55
                       : operation == "copy"  ? 0.7
                                              : 0.75;
  const double memory = operation == "read"    ? 4.561e12
                        : operation == "write" ? 4.473e12
                        : operation == "copy"  ? 4.012e12
                                               : 4.148e12;
  const double ramp = footprint / (footprint + 2.2e5);
  return ramp *
         std::exp(std::log(9.91e12 * share) +
                  smooth(footprint, 52e6, 1.2) * (std::log(memory) - std::log(9.91e12 * share)));
}

std::vector<std::int64_t> sizes(double from, double to, double per_octave) {
  std::vector<std::int64_t> all;
  for (double size = from; size <= to * 1.001; size *= std::exp2(1 / per_octave))
    all.push_back(std::llround(size / 128) * 128);
  return all;
}

void add_measurements(std::vector<core::Measurement>& all) {
  for (const auto& [operation, cycles] :
       {std::pair{"ffma", 4.02}, {"imad", 4.03}, {"dfma", 8.05}, {"shuffle", 24.1}})
    all.push_back(chase({"latency/register", {{"operation", "", operation}}}, "operand_latency",
                        cycles, 0.0004));
  for (const auto& [method, cycles] : {std::pair{"raw", 23.1}, {"index", 29.2}})
    all.push_back(
        chase({"latency/shared", {{"method", "", method}}}, "scratchpad_latency", cycles, 0.0005));
  for (const char* op : {"ca", "cg"}) {
    const bool l1 = op == std::string("ca");
    for (const std::int64_t size : sizes(l1 ? 1 * kKiB : 256 * kKiB, l1 ? 1 * kMiB : 4.0 * kGiB, 3))
      all.push_back(chase({"latency/global", {{"operator", "", op}, {"footprint", "bytes", size}}},
                          "level_latency", latency_cycles(op, static_cast<double>(size)), 0.004));
  }
  for (const char* operation : {"read", "write", "copy", "triad"})
    for (const std::int64_t size : sizes(1.0 * kMiB, 8.0 * kGiB, operation[0] == 'r' ? 3 : 1))
      all.push_back(stream(
          {"bandwidth/global",
           {{"operation", "", operation}, {"operator", "", "cg"}, {"footprint", "bytes", size}}},
          "level_bandwidth", bytes_per_s(operation, static_cast<double>(size)), 0.003));
  for (const std::int64_t size : sizes(4.0 * kMiB, 64.0 * kMiB, 2)) {
    const double share = smooth(static_cast<double>(size), 29e6, 0.4);
    all.push_back(
        stream({"bandwidth/global",
                {{"operation", "", "read"}, {"operator", "", "ca"}, {"footprint", "bytes", size}}},
               "level_bandwidth",
               std::exp((1 - share) * std::log(3.31e13) + share * std::log(9.8e12)), 0.001));
  }
  for (const char* operation : {"read", "write"})
    all.push_back(stream(
        {"bandwidth/shared", {{"operation", "", operation}, {"width", "bytes", std::int64_t{16}}}},
        "scratchpad_bandwidth", 127.8 * kClockHertz * kSmCount, 0.0002));
}

void spoil(std::vector<core::Measurement>& all) {
  const auto of = [&](const char* id) -> core::Measurement& {
    return *std::ranges::find_if(
        all, [&](const core::Measurement& m) { return m.point.id().ends_with(id); });
  };
  core::Measurement& failed = of("operator:cg/footprint_bytes:16777216");
  failed.status = core::Status::failed;
  failed.reason = "final index 4711, predicted 4712: the chain was not followed";
  core::Measurement& unstable = of("operation:copy/operator:cg/footprint_bytes:67108864");
  unstable.status = core::Status::unstable;
  unstable.reason = "clock 1905 MHz in repetition 3, 3.8 % below the run's 1980 MHz";
  core::Measurement& invalid = of("operation:write/operator:cg/footprint_bytes:1073741824");
  invalid.status = core::Status::invalid;
  invalid.reason = "4861 GB/s is above the pin rate of 4814 GB/s";
  core::Measurement& skipped = of("operation:triad/operator:cg/footprint_bytes:8589934592");
  skipped.status = core::Status::skipped;
  skipped.reason = "needs 24 GiB; 20.3 GiB are free";
  skipped.repetitions.clear();
  skipped.summary.clear();
}

// The summaries of one measured point as entries of the map.
std::vector<map::Entry> entries(
    const std::vector<core::Measurement>& all, const std::string& id,
    std::vector<std::pair<double, std::optional<map::Published>>> more) {
  const auto at =
      std::ranges::find_if(all, [&](const core::Measurement& m) { return m.point.id() == id; });
  std::vector<map::Entry> made;
  for (std::size_t i = 0; i < at->summary.size(); ++i) {
    made.push_back({.estimate = at->summary[i], .method = at->method, .points = {id}});
    if (i < more.size()) {
      made.back().ceiling = more[i].first;
      made.back().published = more[i].second;
    }
  }
  return made;
}

void append(std::vector<map::Entry>& to, std::vector<map::Entry> more) {
  for (map::Entry& entry : more) to.push_back(std::move(entry));
}

map::Published published(double low, double high, std::string_view in, const char* source,
                         const char* key) {
  return {low, high, std::string(in), source, key};
}

map::Entry overhead(const char* id, std::string_view in, double value, double low, double high,
                    const char* key) {
  return {.estimate = {"cost", std::string(in), value, value, value, 0.9375, 5, 0},
          .method = "empty kernels back to back",
          .points = {id},
          .published = published(low, high, in, "GB, HR25", key)};
}

map::MemoryMap draw(const std::vector<core::Measurement>& all) {
  map::MapLevel registers{.name = "Registers",
                          .scope = "SM",
                          .capacity = {.stated_bytes = 256 * kKiB,
                                       .stated_by = "cudaDeviceProp::regsPerMultiprocessor"},
                          .status = "ok"};
  registers.latency = entries(all, "latency/register/operation:ffma",
                              {{0, published(4, 4.6, unit::kCycles, "TICK, JAR", "LAT1")}});
  append(registers.latency, entries(all, "latency/register/operation:imad", {}));
  append(registers.latency, entries(all, "latency/register/operation:dfma",
                                    {{0, published(8, 9, unit::kCycles, "JAR", "LAT2")}}));
  append(registers.latency, entries(all, "latency/register/operation:shuffle",
                                    {{0, published(23, 27, unit::kCycles, "TICK", "LAT3")}}));
  registers.bandwidth = {
      {.estimate = {"rate", std::string(unit::kOperationsPerCyclePerSm), 126.4, 126.38, 126.41,
                    0.9375, 5, 0.01},
       .method = "independent chains",
       .points = {"bandwidth/register/operation:ffma/chains_count:4/warps_count:16"},
       .ceiling = 128}};

  map::MapLevel shared{.name = "Shared",
                       .scope = "SM",
                       .capacity = {.stated_bytes = 227 * kKiB,
                                    .stated_by = "cudaDeviceProp::sharedMemPerBlockOptin"},
                       .status = "ok"};
  shared.latency = entries(all, "latency/shared/method:raw",
                           {{0, published(22, 25, unit::kCycles, "TICK", "LAT4")}});
  append(shared.latency, entries(all, "latency/shared/method:index",
                                 {{0, published(28, 33, unit::kCycles, "MT4G, L24", "LAT5")}}));
  shared.bandwidth = entries(all, "bandwidth/shared/operation:read/width_bytes:16",
                             {{128, published(120, 128, unit::kBytesPerCyclePerSm, "L25", "BW1")}});
  append(shared.bandwidth,
         entries(all, "bandwidth/shared/operation:write/width_bytes:16", {{128, {}}}));

  map::MapLevel l1{.name = "L1",
                   .scope = "SM",
                   .capacity = {.stated_bytes = 248 * kKiB,
                                .stated_by = "CUDA programming guide, smallest carve-out",
                                .found_bytes = 229 * kKiB,
                                .found_low_bytes = 203 * kKiB,
                                .found_high_bytes = 256 * kKiB,
                                .confidence = 0.999},
                   .status = "ok"};
  l1.latency = entries(all, "latency/global/operator:ca/footprint_bytes:32768",
                       {{0, published(31, 36, unit::kCycles, "HPMLL, GB", "LAT6")}});
  l1.bandwidth = entries(all, "bandwidth/global/operation:read/operator:ca/footprint_bytes:8388608",
                         {{128, published(115, 128, unit::kBytesPerCyclePerSm, "L24, GB", "BW3")}});

  map::MapLevel l2{.name = "L2",
                   .scope = "GPU",
                   .capacity = {.stated_bytes = 60 * kMiB,
                                .stated_by = "cudaDeviceProp::l2CacheSize",
                                .found_bytes = 35 * kMiB,
                                .found_low_bytes = 32 * kMiB,
                                .found_high_bytes = 40 * kMiB,
                                .confidence = 0.999,
                                .note = "found and stated disagree: from half the L2 upwards a "
                                        "chase is a mixture that includes memory"},
                   .status = "unstable: read spread 1.8 % over the repetitions"};
  l2.latency = entries(all, "latency/global/operator:cg/footprint_bytes:8388608",
                       {{0, published(250, 300, unit::kCycles, "AIK, HPMLL, GB", "LAT12")}});
  l2.bandwidth =
      entries(all, "bandwidth/global/operation:read/operator:cg/footprint_bytes:16777216",
              {{0, {}}, {0, published(10.0e12, 10.5e12, unit::kBytesPerSecond, "GB", "BW9")}});
  l2.bandwidth[1].status = core::Status::unstable;
  l2.bandwidth[1].note = "below the published range: private chunks, every byte from L2";
  for (const char* operation : {"write", "copy", "triad"})
    append(l2.bandwidth, entries(all,
                                 std::string("bandwidth/global/operation:") + operation +
                                     "/operator:cg/footprint_bytes:16777216",
                                 {}));

  map::MapLevel hbm{
      .name = "HBM",
      .scope = "GPU",
      .capacity = {.stated_bytes = 150754820096, .stated_by = "cudaDeviceProp::totalGlobalMem"},
      .status = "ok"};
  hbm.latency = entries(all, "latency/global/operator:cg/footprint_bytes:1073741824",
                        {{0, published(610, 760, unit::kCycles, "AIK, CAL", "LAT18")},
                         {0, published(310, 390, unit::kNanoseconds, "AIK", "LAT19")}});
  const double pin = 4.814e12;
  for (const auto& [operation, low, high] :
       {std::tuple{"read", 3.85e12, 4.81e12}, {"copy", 3.1e12, 4.6e12}, {"triad", 3.5e12, 4.7e12}})
    append(
        hbm.bandwidth,
        entries(all,
                std::string("bandwidth/global/operation:") + operation +
                    "/operator:cg/footprint_bytes:4294967296",
                {{0, {}}, {pin, published(low, high, unit::kBytesPerSecond, "AZ, GB", "BW15")}}));

  return {
      .levels = {registers, shared, l1, l2, hbm},
      .overheads =
          {overhead("overhead/clock/method:clock64", unit::kCycles, 2, 1, 40, "TIM2"),
           overhead("overhead/launch/method:stream", unit::kNanoseconds, 2447, 1600, 3500, "TIM3"),
           overhead("overhead/launch/method:graph", unit::kNanoseconds, 1312, 400, 1800, "TIM4"),
           overhead("overhead/launch/method:sync", unit::kNanoseconds, 23118, 6000, 20000, "TIM7")},
      .unexplained = {"latency/global/operator:cg: 498 to 664 cycles between 64 MiB and 80.6 "
                      "MiB; no stated level ends there"},
      .disagreements = {"L2 capacity: 35 MiB by latency, 47 MiB by bandwidth"}};
}

}  // namespace

report::Results example_results() {
  report::Results made;
  report::Context& context = made.context;
  context.run_id = "00c0ffee00c0ffee";
  context.started_utc = "2026-11-30T20:15:00.123Z";
  context.finished_utc = "2026-11-30T20:15:27.456Z";
  core::Description& device = context.before;
  device.backend = "cuda";
  device.device = "NVIDIA H200 (example)";
  device.uuid = "GPU-3f2a1b0c-1111-2222-3333-444444444444";
  device.pci = "0000:0a:00.0";
  device.simulated = true;
  device.machine_code_sha256 = std::string(64, 'c');
  device.capacities = {{"l1", 248 * kKiB},
                       {"l1_total", 248 * kKiB * kSmCount},
                       {"l2", 60 * kMiB},
                       {"memory", 150754820096},
                       {"sm_count", kSmCount}};
  device.levels = {
      {.name = "Shared",
       .scope = "SM",
       .family = core::Family::scratchpad,
       .ceiling_bytes_per_cycle_per_sm = 128,
       .ceiling_source = "32 banks x 4 bytes a clock"},
      {.name = "L1",
       .scope = "SM",
       .stated_capacity_bytes = 248 * kKiB,
       .reached_by = "ca",
       .ceiling_bytes_per_cycle_per_sm = 128,
       .ceiling_source = "32 banks x 4 bytes a clock"},
      {.name = "L2",
       .scope = "GPU",
       .stated_capacity_bytes = 60 * kMiB,
       .reached_by = "cg",
       .ceiling_source = "none known: the driver reports neither slices nor their clock"},
      {.name = "HBM",
       .scope = "GPU",
       .family = core::Family::memory,
       .stated_capacity_bytes = 150754820096,
       .reached_by = "cg",
       .ceiling_bytes_per_s = 4.814e12,
       .ceiling_source = "3201 MHz x 2 x 6016 bit, as the driver reports them"}};
  device.properties = {{"compute_capability", std::string("9.0")}, {"sm_count", std::int64_t{132}}};
  device.explanations = {{"driver", std::string("580.95.05")}, {"ecc", true}};
  device.state = {{"sm_clock_mhz", std::int64_t{1980}}, {"power_w", 118.2}};
  device.missing = {"hardware counters: not asked for"};
  context.state_after = {{"sm_clock_mhz", std::int64_t{1980}}, {"power_w", 402.7}};
  context.warm_up = "SM clock steady at 1980 MHz after 0.4 s";
  context.host = {{"hostname", std::string("node17")}, {"cores", std::int64_t{96}}};
  context.program = {{"git_revision", std::string("0123abcd")},
                     {"build_type", std::string("Release")}};
  context.config_name = "h200";
  context.config_text = "device: h200\nseed: 1\n";
  context.config_sha256 = "b1946ac92492d2347c6235b4d2611184" + std::string(32, '0');
  context.meant_for = "h200";
  context.seed = 1;
  context.repetitions = kRepetitions;
  context.notes = {"an example made by formula"};
  add_measurements(made.measurements);
  spoil(made.measurements);
  made.map = draw(made.measurements);
  return made;
}

}  // namespace report_test
