#include "map/figures.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/answers.hpp"
#include "core/kind.hpp"
#include "map/ceilings.hpp"

namespace map {
namespace {

// What draw() makes levels of. A chase by indices, say, answers a curve's question by another quantity.
bool is_drawn_as_level(const core::Measurement& one) {
  using namespace core::answers;
  static constexpr std::array kByVariant{kOperandLatency, kOperandRate, kScratchpadLatency,
                                         kScratchpadBandwidth};
  if (one.answers == kLevelLatency || one.answers == kLevelBandwidth)
    return is_of_levels(one.point);
  return std::ranges::find(kByVariant, one.answers) != kByVariant.end();
}

bool is_overhead(const core::Measurement& one) {
  return core::kind_of_probe(one.point.probe) == core::Kind::overhead;
}

bool has_number(const core::Measurement& one) {
  return one.status != core::Status::failed && one.status != core::Status::skipped &&
         !one.summary.empty();
}

}  // namespace

std::vector<Entry> overheads_of(const Evidence& evidence) {
  std::vector<const core::Measurement*> all;
  std::ranges::copy_if(evidence.measurements, std::back_inserter(all),
                       [](const auto* one) { return is_overhead(*one) && has_number(*one); });
  std::ranges::stable_sort(all, {}, [](const core::Measurement* one) {
    return std::pair(one->answers, rank_of(variant_of(one->point)));
  });
  std::vector<Entry> entries;
  for (const core::Measurement* one : all)
    std::ranges::move(entries_of(*one, {.level = nullptr, .family = evidence.family}),
                      std::back_inserter(entries));
  return entries;
}

std::vector<Entry> figures_of(const Evidence& evidence) {
  std::vector<Entry> entries;
  for (const core::Measurement* one : evidence.measurements)
    if (!is_overhead(*one) && !is_drawn_as_level(*one) && has_number(*one))
      std::ranges::move(entries_of(*one, {.level = bounding_level(*one, *evidence.description),
                                          .family = evidence.family}),
                        std::back_inserter(entries));
  return entries;
}

}  // namespace map
