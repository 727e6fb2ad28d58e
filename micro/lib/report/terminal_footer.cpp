// What a reader needs beside the levels: overheads, what went wrong and why, what the words mean.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/units.hpp"
#include "report/terminal_parts.hpp"

namespace report {
namespace {

constexpr std::size_t kIndent = 15;
constexpr std::size_t kReasons = 8;  // distinct ones shown; the file has all

std::string section(const std::string& title, const std::vector<std::string>& texts,
                    const Page& page) {
  std::string out;
  std::string left = title;
  for (const std::string& text : texts) {
    out += hanging(left, text, kIndent, page.columns);
    left.clear();
  }
  return out.empty() ? out : page.paint.bold(title) + out.substr(title.size());
}

// Subjects that share a text are named together before it, in the order in which they came.
class Grouped {
 public:
  void add(const std::string& subject, const std::string& text) {
    const auto at = std::ranges::find(groups_, text, &Group::text);
    if (at == groups_.end())
      groups_.push_back({subject, text});
    else
      at->subjects += ", " + subject;
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    for (const Group& group : groups_) all.push_back(group.subjects + ": " + group.text);
    return all;
  }

 private:
  struct Group {
    std::string subjects;
    std::string text;
  };
  std::vector<Group> groups_;
};

std::string last_part(const std::string& probe) { return probe.substr(probe.rfind('/') + 1); }

std::string overhead_text(const map::Entry& entry, const std::string& core_word) {
  const std::string probe =
      entry.points.empty()
          ? entry.estimate.name
          : last_part(entry.points.front().substr(
                0, entry.points.front().find('/', entry.points.front().find('/') + 1)));
  const std::string label = label_of(entry);
  std::string text = probe + (label.empty() ? ": " : " by " + label + ": ") +
                     figure_text(entry.estimate, core_word);
  if (entry.status != core::Status::ok) text += " " + std::string(core::to_string(entry.status));
  if (!entry.published) return text;
  const PublishedText range = published_text(entry, core_word);
  return text + (range.starts_with("outside ") ? ", " : ", published ") + range;
}

std::vector<std::string> overheads(const Results& results, const Page& page) {
  std::vector<std::string> all;
  for (const map::Entry& entry : results.map.overheads)
    all.push_back(overhead_text(entry, page.core_word));
  return pack(all, page.columns - kIndent);
}

std::string counts(const Results& results) {
  std::map<core::Status, std::size_t> by_status;
  for (const core::Measurement& measurement : results.measurements) ++by_status[measurement.status];
  std::string text = fmt::format("{} planned:", results.measurements.size());
  for (const auto& [status, number] : by_status)
    text += fmt::format("{} {} {}", status == by_status.begin()->first ? "" : ",", number,
                        core::to_string(status));
  return text;
}

// Points that share status and reason are one finding.
std::vector<std::string> reasons(const Results& results, const Page& page) {
  struct Finding {
    const core::Measurement* first;
    std::size_t number;
  };
  std::vector<Finding> findings;
  for (const core::Measurement& measurement : results.measurements) {
    if (measurement.status == core::Status::ok) continue;
    const auto at = std::ranges::find_if(findings, [&](const Finding& finding) {
      return finding.first->status == measurement.status &&
             finding.first->reason == measurement.reason;
    });
    if (at == findings.end())
      findings.push_back({&measurement, 1});
    else
      ++at->number;
  }
  std::ranges::stable_sort(findings, {}, [](const Finding& finding) {
    constexpr std::array kGravest{core::Status::failed, core::Status::invalid,
                                  core::Status::unstable, core::Status::skipped};
    return std::ranges::find(kGravest, finding.first->status) - kGravest.begin();
  });
  std::vector<std::string> texts;
  for (const auto& [first, number] : findings) {
    if (texts.size() == kReasons && !page.verbose) {
      const std::size_t more = findings.size() - kReasons;
      texts.push_back(
          fmt::format("and {} more reason{}: --verbose shows all", more, more == 1 ? "" : "s"));
      break;
    }
    const std::string others = number > 1 ? fmt::format(" and {} more", number - 1) : "";
    texts.push_back(fmt::format("{} {}{}: {}", core::to_string(first->status), first->point.id(),
                                others, first->reason));
  }
  return texts;
}

// "Shared 128 B/clk/SM, L1 128 B/clk/SM: 32 banks x 4 bytes a clock"
std::vector<std::string> peaks(const Results& results, const Page& page) {
  Grouped texts;
  for (const core::Level& level : results.context.before.levels) {
    if (level.ceiling_source.empty()) continue;
    std::string subject = level.name;
    for (const auto& [value, in] :
         {std::pair{level.ceiling_bytes_per_cycle_per_sm, core::unit::kBytesPerCyclePerSm},
          {level.ceiling_operations_per_cycle_per_sm, core::unit::kOperationsPerCyclePerSm},
          {level.ceiling_bytes_per_s, core::unit::kBytesPerSecond}})
      if (value > 0)
        subject += (subject == level.name ? " " : " or ") +
                   plain_text(value, std::string(in), page.core_word);
    texts.add(subject, level.ceiling_source);
  }
  return texts.lines();
}

void add_entry_notes(Grouped& notes, const std::string& level,
                     const std::vector<map::Entry>& entries, const Page& page) {
  for (const map::Entry& entry : entries) {
    if (entry.note.empty()) continue;
    const std::string label = label_of(entry);
    notes.add(fmt::format("{}{}{} {}", level, label.empty() ? "" : " ", label,
                          unit_text(entry.estimate.unit, page.core_word)),
              entry.note);
  }
}

// A published range that is not met; why a point is not ok stands under the reasons.
void add_figure_notes(Grouped& notes, const std::vector<map::Entry>& figures) {
  for (const map::Entry& figure : figures)
    if (figure.published && !figure.note.empty() && !figure.points.empty())
      notes.add(figure.points.front(), figure.note);
}

std::vector<std::string> notes(const Results& results, const Page& page) {
  Grouped grouped;
  for (const map::MapLevel& level : results.map.levels) {
    if (!level.capacity.note.empty()) grouped.add(level.name + " capacity", level.capacity.note);
    add_entry_notes(grouped, level.name, level.latency, page);
    add_entry_notes(grouped, level.name, level.bandwidth, page);
  }
  add_entry_notes(grouped, "overhead", results.map.overheads, page);
  add_figure_notes(grouped, results.map.figures);
  std::vector<std::string> all = results.context.notes;
  for (std::string& line : grouped.lines()) all.push_back(std::move(line));
  return all;
}

std::vector<std::string> methods(const Results& results, const Page& page) {
  std::vector<std::string> texts;
  const auto add = [&](const std::string& level, const std::vector<map::Entry>& entries) {
    for (const map::Entry& entry : entries)
      texts.push_back(fmt::format("{} {} ({}), n={}: {}", level, label_of(entry),
                                  unit_text(entry.estimate.unit, page.core_word), entry.estimate.n,
                                  entry.method));
  };
  for (const map::MapLevel& level : results.map.levels) {
    add(level.name, level.latency);
    add(level.name, level.bandwidth);
  }
  return texts;
}

std::string how_sure(const Results& results) {
  double least = 1;
  double most = 0;
  for (const map::MapLevel& level : results.map.levels)
    for (const auto* entries : {&level.latency, &level.bandwidth})
      for (const map::Entry& entry : *entries)
        if (std::isfinite(entry.estimate.confidence) && entry.estimate.n > 1) {
          least = std::min(least, entry.estimate.confidence);
          most = std::max(most, entry.estimate.confidence);
        }
  if (most == 0) return "Values are medians over the repetitions.";
  const std::string percent = least == most
                                  ? fmt::format("{:.3g}", 100 * least)
                                  : fmt::format("{:.3g} to {:.3g}", 100 * least, 100 * most);
  return fmt::format(
      "Values are medians over the repetitions, intervals hold the median with {} % confidence.",
      percent);
}

}  // namespace

std::string footer_text(const Results& results, const Page& page) {
  std::string out = section("Overheads", overheads(results, page), page);
  out += section("Points", {counts(results)}, page);
  out += section("Not ok", reasons(results, page), page);
  out += section("Peaks", peaks(results, page), page);
  out += section("Notes", notes(results, page), page);
  out += section("Disagreements", results.map.disagreements, page);
  out += section("Unexplained", results.map.unexplained, page);
  if (page.verbose) {
    out += section("Methods", methods(results, page), page);
    out += section("Not readable", results.context.before.missing, page);
  }
  out += section(
      "Reading",
      {how_sure(results) +
       " A dash stands for what was not measured or is not known; ! marks a number that "
       "is not ok. Published ranges name their device; what names none is of the measured one."},
      page);
  return out;
}

}  // namespace report
