#include "report/google_benchmark.hpp"

#include <cmath>
#include <cstdlib>

namespace report {
namespace {

using core::Json;

const core::Fact* find_any(const core::Facts& facts, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const core::Fact* fact = core::find(facts, name)) return fact;
  return nullptr;
}

std::string text_or(const core::Fact* fact, std::string fallback) {
  const auto* value = fact ? std::get_if<std::string>(&fact->value) : nullptr;
  return value ? *value : std::move(fallback);
}

double number_or(const core::Fact* fact, double fallback) {
  if (!fact) return fallback;
  if (const auto* whole = std::get_if<std::int64_t>(&fact->value))
    return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&fact->value); real && std::isfinite(*real))
    return *real;
  return fallback;
}

// Load averages are written as text by some readers of /proc and as one number by others.
Json load_averages(const core::Fact* fact) {
  Json all = Json::array();
  if (!fact) return all;
  if (const auto* texts = std::get_if<std::vector<std::string>>(&fact->value)) {
    for (const std::string& text : *texts) {
      char* end = nullptr;
      const double value = std::strtod(text.c_str(), &end);
      if (end != text.c_str() && std::isfinite(value)) all.push_back(value);
    }
  } else if (const double value = number_or(fact, -1); value >= 0) {
    all.push_back(value);
  }
  return all;
}

}  // namespace

Json google_benchmark_context(const Context& context) {
  const core::Facts& host = context.host;
  const core::Fact* scaling = find_any(host, {"cpu_scaling_enabled"});
  const bool* scaling_enabled = scaling ? std::get_if<bool>(&scaling->value) : nullptr;
  const std::string build = text_or(find_any(context.program, {"build_type"}), "release");
  const bool debug = build == "debug" || build == "Debug";
  return {{"date", context.started_utc},
          {"host_name", text_or(find_any(host, {"hostname", "host_name"}), "")},
          {"executable", text_or(find_any(context.program, {"executable"}), "suite")},
          {"num_cpus", static_cast<std::int64_t>(number_or(
                           find_any(host, {"cpu_count", "num_cpus", "cores", "core_count"}), 0))},
          {"mhz_per_cpu",
           static_cast<std::int64_t>(number_or(find_any(host, {"cpu_mhz", "mhz_per_cpu"}), 0))},
          {"cpu_scaling_enabled", scaling_enabled && *scaling_enabled},
          {"caches", Json::array()},
          {"load_avg", load_averages(find_any(host, {"load_average", "load_avg"}))},
          {"library_build_type", debug ? "debug" : "release"}};
}

Json google_benchmark_rows(const std::vector<core::Measurement>& measurements) {
  Json rows = Json::array();
  for (const core::Measurement& measurement : measurements) {
    if (measurement.status != core::Status::ok && measurement.status != core::Status::unstable)
      continue;
    const std::string id = measurement.point.id();
    for (const core::Repetition& repetition : measurement.repetitions) {
      const double time_ns = repetition.samples.time_ns;
      if (!std::isfinite(time_ns)) continue;
      rows.push_back(
          {{"name", id}, {"real_time", time_ns}, {"cpu_time", time_ns}, {"time_unit", "ns"}});
    }
  }
  return rows;
}

}  // namespace report
