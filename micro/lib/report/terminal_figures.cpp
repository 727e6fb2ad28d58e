// What was measured beside the levels' headlines, a paragraph a probe.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "report/terminal_parts.hpp"

namespace report {
namespace {

constexpr std::size_t kIndent = 4;
constexpr std::size_t kInFull = 8;  // points of a probe that are shown each, unless verbose

// All metrics of one point: entries that stand together.
using Figures = std::span<const map::Entry>;

const std::string& id_of(const map::Entry& entry) {
  static const std::string none;
  return entry.points.empty() ? none : entry.points.front();
}

// "latency/l2_place/level:l2/lines_count:64" -> "latency/l2_place" and "level:l2 lines_count:64"
std::pair<std::string, std::string> split(const std::string& id) {
  const std::size_t kind_end = id.find('/');
  const std::size_t end = kind_end == id.npos ? id.npos : id.find('/', kind_end + 1);
  std::string settings = end == id.npos ? "" : id.substr(end + 1);
  std::ranges::replace(settings, '/', ' ');
  return {id.substr(0, end), settings};
}

std::string words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string figure(const map::Entry& entry, const Page& page) {
  const std::string of_peak =
      entry.ceiling > 0
          ? fmt::format(", {:.1f} % of peak", 100 * entry.estimate.value / entry.ceiling)
          : "";
  return fmt::format("{} {}{}{}", words(entry.estimate.name),
                     figure_text(entry.estimate, page.core_word),
                     entry.status == core::Status::ok ? "" : "!", of_peak);
}

std::string in_full(Figures point, const Page& page) {
  const std::string settings = split(id_of(point.front())).second;
  std::string text;
  for (const map::Entry& entry : point) text += (text.empty() ? "" : ", ") + figure(entry, page);
  return settings.empty() ? text : settings + ": " + text;
}

std::string extremes(const std::vector<Figures>& points, const Page& page) {
  const auto headline = [](Figures point) { return point.front().estimate.value; };
  const auto [least, greatest] = std::ranges::minmax_element(points, {}, headline);
  const auto one = [&](Figures point) {
    return fmt::format("{} at {}", figure(point.front(), page), split(id_of(point.front())).second);
  };
  return fmt::format("{} points, from {} to {}", points.size(), one(*least), one(*greatest));
}

// Entries of one point, and points of one probe, follow each other: the map is in the order of ids.
std::vector<Figures> points_of(Figures entries) {
  std::vector<Figures> points;
  for (std::size_t first = 0; first < entries.size();) {
    std::size_t end = first + 1;
    while (end < entries.size() && id_of(entries[end]) == id_of(entries[first])) ++end;
    points.push_back(entries.subspan(first, end - first));
    first = end;
  }
  return points;
}

}  // namespace

std::string figures_text(const Results& results, const Page& page) {
  const std::vector<Figures> points = points_of(results.map.figures);
  std::string out;
  const std::string margin(kIndent, ' ');
  for (std::size_t first = 0; first < points.size();) {
    const std::string probe = split(id_of(points[first].front())).first;
    std::vector<Figures> group;
    for (; first < points.size() && split(id_of(points[first].front())).first == probe; ++first)
      group.push_back(points[first]);
    out += "  " + printable(probe) + "\n";
    if (group.size() > kInFull && !page.verbose) {
      out += hanging(margin, extremes(group, page), kIndent, page.columns);
      continue;
    }
    for (const Figures point : group)
      out += hanging(margin, printable(in_full(point, page)), kIndent, page.columns);
  }
  return out.empty() ? out : page.paint.bold("Further figures") + "\n" + out + "\n";
}

}  // namespace report
