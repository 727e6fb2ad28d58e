#include "config/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "config/axis_values.hpp"
#include "config/wording.hpp"
#include "core/units.hpp"

namespace config {
namespace {

constexpr std::size_t kMaxPoints = 20'000;

class Planner {
 public:
  Planner(const Config& config, std::span<const core::ProbeSpec> specs, const Target& target)
      : config_(config), specs_(specs), target_(target) {}

  Plan plan() {
    if (config_.stanzas.empty())
      mistakes_.add(config_.place, "stanzas", "there is none; a configuration needs one or more");
    for (std::size_t i = 0; i < config_.stanzas.size(); ++i) add(static_cast<int>(i));
    mistakes_.throw_if_any();
    return std::move(plan_);
  }

 private:
  using Values = std::vector<core::AxisValue>;

  void add(int index) {
    const Stanza& stanza = config_.stanzas[static_cast<std::size_t>(index)];
    const std::string path = fmt::format("stanzas[{}]", index);
    const auto spec = std::ranges::find(specs_, stanza.probe, &core::ProbeSpec::name);
    if (spec == specs_.end()) {
      std::vector<std::string> names;
      for (const core::ProbeSpec& one : specs_) names.push_back(one.name);
      mistakes_.add(stanza.probe_place, path + ".probe",
                    fmt::format("unknown probe {} of backend {}; {}", quote(stanza.probe),
                                config_.backend, suggestion(stanza.probe, names)));
      return;
    }
    if (refuse_other_axes(stanza, *spec, path)) return;
    std::vector<Values> values;
    std::size_t count = 1;
    for (const core::Axis& axis : spec->axes) {
      values.push_back(values_of(axis, stanza, path));
      count = std::min(count, kMaxPoints + 1) * values.back().size();
    }
    if (count == 0) return;  // a mistake said why
    if (count + plan_.points.size() > kMaxPoints) {
      mistakes_.add(stanza.place, path,
                    fmt::format("the plan grows beyond {} points here", kMaxPoints));
      return;
    }
    for (std::size_t i = 0; i < count; ++i) add(point(*spec, values, i), *spec, index, path);
    report_refusals(stanza, path);
  }

  bool refuse_other_axes(const Stanza& stanza, const core::ProbeSpec& spec,
                         const std::string& path) {
    bool refused = false;
    for (const AxisChoice& choice : stanza.axes) {
      if (std::ranges::find(spec.axes, choice.axis, &core::Axis::name) != spec.axes.end()) continue;
      std::vector<std::string> names = {"repetitions"};
      for (const core::Axis& axis : spec.axes) names.push_back(axis.name);
      mistakes_.add(choice.place, path,
                    fmt::format("{} has no axis {}; {}", spec.name, quote(choice.axis),
                                suggestion(choice.axis, names)));
      refused = true;
    }
    return refused;
  }

  Values values_of(const core::Axis& axis, const Stanza& stanza, const std::string& path) {
    const auto choice = std::ranges::find(stanza.axes, axis.name, &AxisChoice::axis);
    const bool given = choice != stanza.axes.end();
    return axis_values({.axis = axis,
                        .choice = given ? &*choice : nullptr,
                        .path = path + "." + axis.name,
                        .place = given ? choice->place : stanza.place},
                       target_.capacities, plan_.notes, mistakes_);
  }

  // The i-th combination; the first axis changes slowest.
  static core::Point point(const core::ProbeSpec& spec, const std::vector<Values>& values,
                           std::size_t i) {
    core::Point point{.probe = spec.name, .settings = {}};
    point.settings.resize(values.size());
    for (std::size_t a = values.size(); a-- > 0;) {
      const core::Axis& axis = spec.axes[a];
      point.settings[a] = {.axis = axis.name,
                           .unit = axis.takes_words() ? std::string() : axis.unit,
                           .value = values[a][i % values[a].size()]};
      i /= values[a].size();
    }
    return point;
  }

  void add(core::Point point, const core::ProbeSpec& spec, int index, const std::string& path) {
    const Stanza& stanza = config_.stanzas[static_cast<std::size_t>(index)];
    const int repetitions = stanza.repetitions.value_or(config_.repetitions);
    const std::string id = point.id();
    if (const auto known = index_of_.find(id); known != index_of_.end()) {
      int& planned = plan_.points[known->second].repetitions;
      planned = std::max(planned, repetitions);
      return;
    }
    if (const std::string refusal = spec.refuse ? spec.refuse(point) : ""; !refusal.empty()) {
      refusals_[refusal].push_back(id);
      return;
    }
    PlannedPoint planned{
        .point = std::move(point), .spec = &spec, .repetitions = repetitions, .stanza = index};
    if (spec.skip) planned.skip_reason = spec.skip(planned.point, target_.capacities);
    if (spec.cost) planned.cost = spec.cost(planned.point, target_.capacities);
    if (!check_memory(planned, path + ": " + id)) return;
    index_of_[id] = plan_.points.size();
    plan_.points.push_back(std::move(planned));
  }

  bool check_memory(PlannedPoint& planned, const std::string& what) {
    const std::int64_t needed = planned.cost.memory_bytes;
    const auto beyond = [&](std::string_view capacity) {
      return target_.capacities.has(capacity) && needed > target_.capacities.get(capacity);
    };
    const auto reason = [&](std::string_view capacity, std::string_view words) {
      return fmt::format("needs {} of memory; {} {}", core::format_bytes(needed),
                         core::format_bytes(target_.capacities.get(capacity)), words);
    };
    if (beyond("memory") && target_.is_the_meant_device) {
      const Stanza& stanza = config_.stanzas[static_cast<std::size_t>(planned.stanza)];
      mistakes_.add(stanza.place, what, reason("memory", "is what the device has"));
      return false;
    }
    if (!planned.skip_reason.empty()) return true;
    if (beyond("memory"))
      planned.skip_reason = reason("memory", "is what this device has");
    else if (beyond("free_memory"))
      planned.skip_reason = reason("free_memory", "is free");
    return true;
  }

  // One line for all points of a stanza that are refused alike.
  void report_refusals(const Stanza& stanza, const std::string& path) {
    for (const auto& [refusal, ids] : refusals_)
      mistakes_.add(stanza.place, path,
                    ids.size() == 1
                        ? fmt::format("{}: {}", ids.front(), refusal)
                        : fmt::format("{} and {} more: {}", ids.front(), ids.size() - 1, refusal));
    refusals_.clear();
  }

  const Config& config_;
  std::span<const core::ProbeSpec> specs_;
  const Target& target_;
  Plan plan_;
  Mistakes mistakes_;
  std::unordered_map<std::string, std::size_t> index_of_;
  std::map<std::string, std::vector<std::string>> refusals_;
};

}  // namespace

Plan plan(const Config& config, std::span<const core::ProbeSpec> specs, const Target& target) {
  return Planner(config, specs, target).plan();
}

}  // namespace config
