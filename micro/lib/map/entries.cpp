#include "map/entries.hpp"

#include <algorithm>
#include <array>

#include "map/ceilings.hpp"
#include "map/notes.hpp"

namespace map {
namespace {

// Two methods of one quantity have two names though one probe measures both: a reader has to know
// which of them a number is.
std::string method_of(const core::Measurement& measurement) {
  const std::string method = word_or(measurement.point, "method", "");
  return method.empty() ? measurement.method : method + ": " + measurement.method;
}

Entry entry_of(const Plateau& plateau, const core::Quantity& metric, const Subject& subject) {
  const core::Measurement& first = *plateau.points.front();
  Entry entry{.estimate = estimate_of(plateau, metric.name, metric.unit),
              .method = method_of(first),
              .points = {},
              .status = plateau.status,
              .note = plateau.note};
  for (const core::Measurement* point : plateau.points) entry.points.push_back(point->point.id());
  if (subject.level != nullptr)
    if (const auto ceiling = ceiling_of(*subject.level, metric.unit))
      entry.ceiling = ceiling->value;
  const auto expected =
      expectation(subject.family, {.answers = first.answers,
                                   .level = subject.level != nullptr ? subject.level->name : "",
                                   .operation = variant_of(first.point),
                                   .unit = metric.unit});
  if (expected) {
    entry.published = expected->range;
    add_note(entry.note, outside(*expected, entry.estimate.value));
  }
  return entry;
}

}  // namespace

std::string variant_of(const core::Point& point) {
  const std::string variant = word_or(point, "operation", word_or(point, "method", ""));
  return variant == "pointer" ? "" : variant;
}

std::size_t rank_of(const std::string& variant) {
  static constexpr std::array<std::string_view, 22> kOrder{
      "ffma",      "fadd",    "imad",    "iadd3",       "lop3",   "hfma2", "dfma",  "mufu",
      "predicate", "shuffle", "raw",     "index",       "atomic", "read",  "write", "copy",
      "triad",     "",        "clock64", "globaltimer", "stream", "graph"};
  return static_cast<std::size_t>(std::ranges::find(kOrder, variant) - kOrder.begin());
}

std::vector<Entry> entries_of(const Plateau& plateau, const std::vector<core::Quantity>& metrics,
                              const Subject& subject) {
  std::vector<Entry> entries;
  for (const core::Quantity& metric : metrics)
    if (plateau.points.front()->estimate(metric.name, metric.unit) != nullptr)
      entries.push_back(entry_of(plateau, metric, subject));
  return entries;
}

std::vector<Entry> entries_of(const core::Measurement& measurement, const Subject& subject) {
  std::vector<core::Quantity> metrics;
  for (const core::Estimate& estimate : measurement.summary)
    metrics.push_back({estimate.name, estimate.unit, 0});
  return entries_of(
      Plateau{.points = {&measurement}, .status = measurement.status, .note = measurement.reason},
      metrics, subject);
}

}  // namespace map
