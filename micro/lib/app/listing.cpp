#include "app/listing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/units.hpp"

namespace app {
namespace {

std::string number_text(std::int64_t value, const std::string& unit) {
  return unit == core::unit::kBytes ? core::format_bytes(value) : fmt::format("{}", value);
}

std::string allowed_text(const core::Axis& axis) {
  if (axis.takes_words()) return fmt::format("{}", fmt::join(axis.words, " "));
  if (!axis.allowed.empty()) return fmt::format("{}", fmt::join(axis.allowed, " "));
  std::string text = number_text(axis.min, axis.unit);
  text += axis.max == std::numeric_limits<std::int64_t>::max()
              ? " or more"
              : " to " + number_text(axis.max, axis.unit);
  if (axis.multiple_of > 1) text += ", a multiple of " + number_text(axis.multiple_of, axis.unit);
  return text;
}

// The middle of a long list says nothing that its ends do not.
std::string automatic_text(const std::vector<std::string>& values) {
  if (values.size() <= 8) return fmt::format("{}", fmt::join(values, ", "));
  return fmt::format("{}, {}, ... {} ({} values)", values[0], values[1], values.back(),
                     values.size());
}

struct Row {
  std::int64_t points = 0;
  std::int64_t skipped = 0;
  int fewest = 0, most = 0;  // repetitions
  double moved_bytes = 0;
  double seconds = 0;

  void add(const config::PlannedPoint& planned) {
    if (!planned.skip_reason.empty()) {
      ++skipped;
      return;
    }
    fewest = points == 0 ? planned.repetitions : std::min(fewest, planned.repetitions);
    most = std::max(most, planned.repetitions);
    ++points;
    moved_bytes += planned.cost.moved_bytes * planned.repetitions;
    seconds += planned.cost.seconds * planned.repetitions;
  }

  std::string text(const std::string& label, const std::string& probe) const {
    const std::string repetitions =
        fewest == most ? fmt::format("{}", most) : fmt::format("{}-{}", fewest, most);
    return fmt::format("{:<7} {:<22} {:>7} {:>8} {:>12} {:>12} {:>12}\n", label, probe, points,
                       skipped, repetitions,
                       core::format_bytes(static_cast<std::int64_t>(moved_bytes)),
                       core::format_seconds(seconds));
  }
};

std::string skipped_text(const config::Plan& plan) {
  std::map<std::string, int> reasons;
  for (const auto& planned : plan.points)
    if (!planned.skip_reason.empty()) ++reasons[planned.skip_reason];
  std::string text;
  for (const auto& [reason, count] : reasons)
    text += fmt::format("skipped: {} {}: {}\n", count, count == 1 ? "point" : "points", reason);
  return text;
}

}  // namespace

std::string probe_text(const core::ProbeSpec& spec) {
  std::string text =
      fmt::format("{}\n    {}\n    method: {}\n", spec.name, spec.question, spec.method);
  for (const core::Axis& axis : spec.axes) {
    const std::string title = axis.unit.empty() ? axis.name : axis.name + " [" + axis.unit + "]";
    text += fmt::format("    {:<18} {}\n", title, axis.meaning);
    text += fmt::format("    {:<18}   allowed: {}\n", "", allowed_text(axis));
    text += fmt::format("    {:<18}   auto: {}\n", "", automatic_text(axis.automatic));
  }
  return text;
}

std::string dry_run_text(const config::Config& config, const config::Plan& plan,
                         const DryRun& about) {
  std::vector<Row> rows(config.stanzas.size());
  Row total;
  std::int64_t memory_bytes = 0;
  for (const auto& planned : plan.points) {
    rows.at(static_cast<std::size_t>(planned.stanza)).add(planned);
    total.add(planned);
    if (planned.skip_reason.empty())
      memory_bytes = std::max(memory_bytes, planned.cost.memory_bytes);
  }

  std::string text = fmt::format("{} on {}\n", about.configuration, about.device);
  for (const std::string& warning : about.warnings) text += "warning: " + warning + "\n";
  text += fmt::format("{:<7} {:<22} {:>7} {:>8} {:>12} {:>12} {:>12}\n", "stanza", "probe",
                      "points", "skipped", "repetitions", "moved", "time");
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].points + rows[i].skipped > 0)
      text += rows[i].text(fmt::format("{}", i + 1), config.stanzas[i].probe);
  text += total.text("total", "");
  text += fmt::format("memory: {} at once\n", core::format_bytes(memory_bytes));
  if (about.assumed)
    text += "no device was asked; capacities are those stated of the assumed one\n";
  else
    text += fmt::format("driver and device, taken and given back, apart from that: {}\n",
                        core::format_seconds(about.driver_seconds));
  text += skipped_text(plan);
  for (const std::string& note : plan.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace app
