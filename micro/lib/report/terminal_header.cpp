// Who was measured, when, at what clock.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/terminal_parts.hpp"

namespace report {
namespace {

std::string fact_text(const core::Facts& facts, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const core::Fact* fact = core::find(facts, name))
      if (const auto* text = std::get_if<std::string>(&fact->value)) return *text;
  return {};
}

// "GPU-3f2a1b0c-1111-..." -> "GPU-3f2a1b0c"
std::string uuid_prefix(const std::string& uuid) {
  const std::size_t first = uuid.find('-');
  return uuid.substr(0, std::min(uuid.size(), uuid.find('-', first + 1)));
}

// Clocks of every repetition that carries one, in hertz, ascending.
std::vector<double> clocks(const Results& results) {
  std::vector<double> all;
  for (const core::Measurement& measurement : results.measurements)
    for (const core::Repetition& repetition : measurement.repetitions)
      if (const double hertz = repetition.samples.clock.hertz(); std::isfinite(hertz) && hertz > 0)
        all.push_back(hertz);
  std::ranges::sort(all);
  return all;
}

// The clock that ran: its median, and between which ends nine tenths of the repetitions had it.
std::string clock_text(const Results& results, const std::string& core_word) {
  const std::vector<double> all = clocks(results);
  if (all.empty()) return core_word + " clock not measured";
  const auto at = [&](double share) {
    return std::llround(all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))] /
                        1e6);
  };
  std::string text = fmt::format("{} clock {} MHz", core_word, at(0.5));
  if (at(0.05) != at(0.95)) text += fmt::format(" ({}-{})", at(0.05), at(0.95));
  return text + " measured";
}

// "2026-11-30T20:15:00.123Z" -> "2026-11-30 20:15 UTC"
std::string date_text(const std::string& utc) {
  if (utc.size() < 16 || utc[10] != 'T') return utc;
  return utc.substr(0, 10) + " " + utc.substr(11, 5) + " UTC";
}

std::string warned(const char* word, const std::string& text, const Page& page) {
  return page.paint.red(hanging(word, text, width(word) + 1, page.columns));
}

}  // namespace

std::string header_text(const Results& results, const Page& page) {
  const Context& context = results.context;
  const core::Description& device = context.before;
  const std::string driver = fact_text(device.explanations, {"driver", "driver_version"});
  std::string out;
  for (const std::string& line :
       pack({device.device, uuid_prefix(device.uuid), driver.empty() ? "" : "driver " + driver,
             clock_text(results, page.core_word), date_text(context.started_utc)},
            page.columns))
    out += page.paint.bold(line) + "\n";
  const std::string hash = context.config_sha256.substr(0, 8);
  for (const std::string& line : pack({fmt::format("configuration {}{}", context.config_name,
                                                   hash.empty() ? "" : " (" + hash + ")"),
                                       fmt::format("{} points", results.measurements.size()),
                                       fmt::format("{} repetitions", context.repetitions),
                                       fmt::format("seed {}", context.seed)},
                                      page.columns))
    out += line + "\n";
  if (device.simulated)
    out += warned("SIMULATED:",
                  "these numbers come from a model, and are no measurement of any device", page);
  if (!results.complete) out += warned("INCOMPLETE:", results.incomplete_reason, page);
  return out + "\n";
}

}  // namespace report
