// The levels: side by side where the page is wide enough, else one block a level.

#include <algorithm>
#include <array>

#include "report/terminal_parts.hpp"

namespace report {
namespace {

constexpr std::size_t kGap = 2;
enum Column { level, scope, found, stated, cycles, ns, per_cycle, per_s, peak, status, count };
using Line = std::array<std::string, count>;

bool is_text(std::size_t column) { return column == level || column == scope || column == status; }

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

// "HBM", "Registers ffma", "Shared raw, write": what the headline is, unless it goes without
// saying.
std::string title(const LevelRows& rows) {
  const Row& row = rows.rows.front();
  std::string label = row.latency_label;
  if (!row.bandwidth_label.empty() && row.bandwidth_label != "read" &&
      row.bandwidth_label != row.latency_label)
    label += (label.empty() ? "" : ", ") + row.bandwidth_label;
  return label.empty() ? rows.name : rows.name + " " + label;
}

// A number whose own status is not ok says so; before it, so that the digits stay in line.
std::string marked(const Figure& figure) {
  if (!figure.is_there()) return "-";
  return figure.status == core::Status::ok ? figure.value : "! " + figure.value;
}

struct Block {
  Line value;
  Line interval;
  std::vector<std::string> latency_published;
  std::vector<std::string> bandwidth_published;
  std::string status_text;
};

Block block_of(const LevelRows& rows) {
  const Row& row = rows.rows.front();
  return {
      .value = {title(rows), rows.scope, rows.found, rows.stated, marked(row.cycles),
                marked(row.ns), marked(row.per_cycle), marked(row.gigabytes_per_s),
                or_dash(row.of_peak), rows.status_word},
      .interval = {"  interval", "", rows.found_between, "", row.cycles.interval, row.ns.interval,
                   row.per_cycle.interval, row.gigabytes_per_s.interval, "", ""},
      .latency_published = row.latency_published,
      .bandwidth_published = row.bandwidth_published,
      .status_text = rows.status_text};
}

// Over the two columns of latency, which are as wide as it is even where they are empty.
constexpr std::string_view kLatencyTitle = "Latency of one access";

using Widths = std::array<std::size_t, count>;

std::size_t span(const Widths& widths, std::size_t from, std::size_t to) {
  std::size_t sum = 0;
  for (std::size_t i = from; i <= to; ++i) sum += widths[i] + (i == from ? 0 : kGap);
  return sum;
}

std::string joined(const Line& line, const Widths& widths) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += std::string(kGap, ' ');
    out += is_text(i) ? pad_right(line[i], widths[i]) : pad_left(line[i], widths[i]);
  }
  return out;
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string painted_status(const std::string& word, const Paint& paint) {
  if (word == "ok") return paint.green(word);
  return word == "skipped" || word == "unstable" ? paint.yellow(word) : paint.red(word);
}

std::string published_lines(const Block& block, const Widths& widths, const Paint& paint) {
  const std::size_t left = span(widths, level, stated) + kGap;
  const std::size_t middle = span(widths, cycles, ns);
  const std::size_t right = span(widths, per_cycle, status);
  std::vector<std::string> latency;
  std::vector<std::string> bandwidth;
  for (const std::string& text : block.latency_published)
    for (const std::string& line : wrap(text, middle)) latency.push_back(line);
  for (const std::string& text : block.bandwidth_published)
    for (const std::string& line : wrap(text, right)) bandwidth.push_back(line);
  std::string out;
  for (std::size_t i = 0; i < std::max(latency.size(), bandwidth.size()); ++i) {
    std::string line = pad_right(i == 0 ? "  published" : "", left);
    line += pad_right(i < latency.size() ? latency[i] : "", middle + kGap);
    line += i < bandwidth.size() ? bandwidth[i] : "";
    out += paint.dim(trimmed(line)) + "\n";
  }
  return out;
}

Line column_names(const Page& page) {
  return {"Level", "Scope",   "found", "stated", "cycles", "ns", "B/clk/" + page.core_word,
          "GB/s",  "of peak", "Status"};
}

std::string table(const std::vector<Block>& blocks, const Widths& widths, const Page& page) {
  const Line names = column_names(page);
  std::string groups(span(widths, level, scope) + kGap, ' ');
  groups += pad_right("Capacity", span(widths, found, stated) + kGap);
  groups += pad_right(std::string(kLatencyTitle), span(widths, cycles, ns) + kGap);
  groups += page.core_word == "SM" ? "Bandwidth, read, all SMs at once" : "Bandwidth, read";
  std::string out = page.paint.bold(trimmed(groups)) + "\n";
  out += page.paint.bold(trimmed(joined(names, widths))) + "\n";
  out += std::string(span(widths, level, status), '-') + "\n";
  for (const Block& block : blocks) {
    Line value = block.value;
    value[status] = "";
    const std::size_t before_status = span(widths, level, peak) + kGap;
    out += pad_right(trimmed(joined(value, widths)), before_status) +
           painted_status(block.value[status], page.paint) + "\n";
    if (std::ranges::any_of(block.interval.begin() + 1, block.interval.end(),
                            [](const std::string& cell) { return !cell.empty() && cell != "-"; }))
      out += page.paint.dim(trimmed(joined(block.interval, widths))) + "\n";
    out += published_lines(block, widths, page.paint);
    if (!block.status_text.empty())
      out += hanging("  status", block.status_text, widths[level] + kGap, page.columns);
    out += "\n";
  }
  return out;
}

std::string with_interval(const Figure& figure, const std::string& unit) {
  if (!figure.is_there()) return {};
  std::string text = figure.value + (unit.empty() ? "" : " " + unit);
  if (figure.interval != "-") text += " (" + figure.interval + ")";
  return figure.status == core::Status::ok
             ? text
             : text + " " + std::string(core::to_string(figure.status));
}

std::string with_lanes(const Figure& figure, const std::string& core_word) {
  Figure plain = figure;
  const std::size_t lanes = plain.value.find(" lanes");
  if (lanes == plain.value.npos) return with_interval(figure, "B/clk/" + core_word);
  plain.value.resize(lanes);
  return with_interval(plain, "lanes/clk/" + core_word);
}

std::vector<std::string> latency_phrases(const Row& row) {
  return {with_interval(row.cycles, "cycles"), with_interval(row.ns, "ns")};
}

std::vector<std::string> bandwidth_phrases(const Row& row, const std::string& core_word) {
  return {with_lanes(row.per_cycle, core_word), with_interval(row.gigabytes_per_s, "GB/s"),
          row.of_peak.empty() ? "" : row.of_peak + " of peak"};
}

// "  latency ffma    4.021 cycles (...)" and below it what was published.
std::string phrase_lines(const std::string& label, const std::vector<std::string>& phrases,
                         const std::vector<std::string>& published, std::size_t indent,
                         const Page& page) {
  std::string out;
  std::string left = label;
  for (const std::string& line : pack(phrases, page.columns - indent)) {
    out += pad_right(left, indent) + line + "\n";
    left.clear();
  }
  left = "    published";
  for (const std::string& text : published) {
    out += page.paint.dim(hanging(left, text, indent, page.columns));
    left.clear();
  }
  return out;
}

std::string worded(const char* kind, const std::string& label) {
  return "  " + std::string(kind) + (label.empty() ? "" : " " + label);
}

std::size_t blocks_indent(const std::vector<LevelRows>& levels) {
  std::size_t indent = 14;
  for (const LevelRows& one : levels)
    for (const Row& row : one.rows)
      indent = std::max({indent, width(worded("latency", row.latency_label)) + kGap,
                         width(worded("bandwidth", row.bandwidth_label)) + kGap});
  return std::min<std::size_t>(indent, 30);
}

std::string row_lines(const Row& row, std::size_t indent, const Page& page) {
  return phrase_lines(worded("latency", row.latency_label), latency_phrases(row),
                      row.latency_published, indent, page) +
         phrase_lines(worded("bandwidth", row.bandwidth_label),
                      bandwidth_phrases(row, page.core_word), row.bandwidth_published, indent,
                      page);
}

std::string blocks(const std::vector<LevelRows>& levels, const Page& page) {
  const std::size_t indent = blocks_indent(levels);
  std::string out = std::string(page.columns, '-') + "\n";
  for (const LevelRows& one : levels) {
    out += page.paint.bold(pad_right(one.name, indent)) + "status " +
           painted_status(one.status_word, page.paint) + "\n";
    if (!one.status_text.empty()) out += hanging("", one.status_text, indent, page.columns);
    const std::string found =
        one.found_between.empty() ? one.found : one.found + " (" + one.found_between + ")";
    out +=
        phrase_lines("  capacity", {"found " + found, "stated " + one.stated, "scope " + one.scope},
                     {}, indent, page);
    for (const Row& row : one.rows) out += row_lines(row, indent, page);
    out += "\n";
  }
  return out;
}

// What stands beside the headlines: other operations and methods, a line each.
std::string others(const std::vector<LevelRows>& levels, const Page& page) {
  const std::size_t indent = std::max<std::size_t>(22, blocks_indent(levels) + 2);
  std::string out;
  for (const LevelRows& one : levels) {
    for (std::size_t i = 1; i < one.rows.size(); ++i) {
      const Row& row = one.rows[i];
      const bool latency = row.cycles.is_there() || row.ns.is_there();
      const std::string label =
          "  " + one.name + " " + (latency ? row.latency_label : row.bandwidth_label);
      std::vector<std::string> phrases =
          latency ? latency_phrases(row) : bandwidth_phrases(row, page.core_word);
      for (const auto* published : {&row.latency_published, &row.bandwidth_published})
        for (const std::string& text : *published)
          phrases.push_back(text.starts_with("outside ") ? text : "published " + text);
      out += phrase_lines(label, phrases, {}, indent, page);
    }
  }
  return out.empty() ? out : page.paint.bold("Other operations and methods") + "\n" + out + "\n";
}

}  // namespace

std::string levels_text(const std::vector<LevelRows>& levels, const Page& page) {
  std::vector<Block> all;
  Widths widths{};
  const Line names = column_names(page);
  for (std::size_t i = 0; i < count; ++i) widths[i] = width(names[i]);
  for (const LevelRows& one : levels) {
    all.push_back(block_of(one));
    for (std::size_t i = 0; i < count; ++i)
      widths[i] = std::max({widths[i], width(all.back().value[i]), width(all.back().interval[i])});
  }
  widths[level] = std::max(widths[level], width("  published"));
  if (const std::size_t has = span(widths, cycles, ns); has < kLatencyTitle.size())
    widths[cycles] += kLatencyTitle.size() - has;
  if (span(widths, level, status) > page.columns) return blocks(levels, page);
  return table(all, widths, page) + others(levels, page);
}

}  // namespace report
