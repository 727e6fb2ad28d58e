#include "config/axis_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "config/values.hpp"
#include "config/wording.hpp"

namespace config {
namespace {

constexpr std::size_t kMaxValues = 10'000;

class Resolver {
 public:
  Resolver(const AxisRequest& request, const core::Capacities& capacities,
           std::vector<std::string>& notes, Mistakes& mistakes)
      : request_(request),
        axis_(request.axis),
        capacities_(capacities),
        notes_(notes),
        mistakes_(mistakes) {}

  std::vector<core::AxisValue> values() {
    const AxisChoice* choice = request_.choice;
    if (!choice || choice->automatic) {
      for (const std::string& text : axis_.automatic) add({.text = text, .place = request_.place});
    } else {
      for (const Written& written : choice->values) add(written);
      for (const Range& range : choice->ranges) {
        add(range);
        if (values_.size() <= kMaxValues) continue;
        sort_and_deduplicate();  // overlapping ranges are no reason to refuse
        if (values_.size() <= kMaxValues) continue;
        wrong(range.place, fmt::format("the axis has more than {} values", kMaxValues));
        break;
      }
    }
    if (!axis_.takes_words()) sort_and_deduplicate();
    if (values_.empty() && !mistaken_)
      wrong(request_.place, "no value is left; this device states none of the capacities named");
    return std::move(values_);
  }

 private:
  void wrong(const Place& place, std::string what) {
    mistaken_ = true;
    mistakes_.add(place, request_.path, std::move(what));
  }

  /// A whole number in the axis' base unit.
  std::optional<std::int64_t> number(const Written& written) {
    Relative relative;
    if (is_relative(written.text, relative)) {
      const auto share = parse_share(relative, axis_.unit, axis_.multiple_of, capacities_);
      if (share) return share.value.value;
      if (share.value.not_stated)
        note(fmt::format("{}: {} left out: {}", request_.path, quote(written.text), share.mistake));
      else
        wrong(written.place, share.mistake);
      return {};
    }
    const Parsed<std::int64_t> parsed = axis_.unit == "bytes" ? parse_size(written.text)
                                        : axis_.unit == "ns"  ? parse_time_ns(written.text)
                                                              : parse_integer(written.text);
    if (parsed) return parsed.value;
    wrong(written.place, parsed.mistake);
    return {};
  }

  void note(std::string text) {
    if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(std::move(text));
  }

  void keep(const core::AxisValue& value) {
    if (axis_.takes_words() && std::ranges::find(values_, value) != values_.end()) return;
    values_.push_back(value);
  }

  void sort_and_deduplicate() {
    std::ranges::sort(values_);
    const auto repeated = std::ranges::unique(values_);
    values_.erase(repeated.begin(), repeated.end());
  }

  void add(const Written& written) {
    if (axis_.takes_words()) {
      const std::string refusal = axis_.refuse(written.text);
      const std::string near = nearest(written.text, axis_.words);
      if (refusal.empty())
        keep(written.text);
      else
        wrong(written.place,
              near.empty() ? refusal : fmt::format("{}; did you mean \"{}\"?", refusal, near));
    } else if (const auto value = number(written)) {
      if (const std::string refusal = axis_.refuse(*value); !refusal.empty())
        wrong(written.place, refusal);
      else
        keep(*value);
    }
  }

  void add(const Range& range) {
    if (axis_.takes_words()) {
      wrong(range.place, fmt::format("takes words, not a range; {}", fmt::join(axis_.words, ", ")));
      return;
    }
    const auto from = number(range.from);
    const auto to = number(range.to);
    if (!from || !to) return;
    for (const auto& [end, place] : {std::pair{*from, range.from.place}, {*to, range.to.place}}) {
      if (const std::string refusal = axis_.refuse(end); !refusal.empty()) {
        wrong(place, refusal);
        return;
      }
    }
    if (*from > *to) {
      wrong(range.place, fmt::format("the range ends at {}, below its start at {}", *to, *from));
      return;
    }
    for (const std::int64_t value : range.scale == Range::Scale::log2 ? octaves(range, *from, *to)
                                                                      : steps(range, *from, *to)) {
      if (const std::string refusal = axis_.refuse(value); !refusal.empty()) {
        wrong(range.place, refusal);
        return;
      }
      keep(value);
    }
  }

  std::vector<std::int64_t> octaves(const Range& range, std::int64_t from, std::int64_t to) {
    if (from < 1) {
      wrong(range.from.place,
            fmt::format("{} is not allowed; a log2 range starts at 1 or more", from));
      return {};
    }
    std::vector<std::int64_t> values = {from};
    const double octaves = std::log2(static_cast<double>(to) / static_cast<double>(from));
    const double intervals = octaves * range.points_per_octave;
    // The last point before the end keeps half a step off it, so that no two are nearly one.
    for (int i = 1; i < intervals - 0.5; ++i) {
      const double exact = static_cast<double>(from) * std::exp2(i / range.points_per_octave);
      const auto multiple =
          static_cast<std::int64_t>(std::llround(exact / static_cast<double>(axis_.multiple_of)));
      values.push_back(std::clamp(multiple * axis_.multiple_of, from, to));
    }
    values.push_back(to);
    return values;
  }

  std::vector<std::int64_t> steps(const Range& range, std::int64_t from, std::int64_t to) {
    const auto step = number(range.step);
    if (!step) return {};
    if (*step < 1) {
      wrong(range.step.place, fmt::format("{} is not allowed; a step is 1 or more", *step));
      return {};
    }
    if (static_cast<std::uint64_t>(to - from) / static_cast<std::uint64_t>(*step) >= kMaxValues) {
      wrong(range.place,
            fmt::format("the range has more than {} values; take a larger step", kMaxValues));
      return {};
    }
    std::vector<std::int64_t> values;
    for (std::int64_t value = from; value <= to - *step; value += *step) values.push_back(value);
    values.push_back(values.empty() ? from : values.back() + *step);
    return values;
  }

  const AxisRequest& request_;
  const core::Axis& axis_;
  const core::Capacities& capacities_;
  std::vector<std::string>& notes_;
  Mistakes& mistakes_;
  std::vector<core::AxisValue> values_;
  bool mistaken_ = false;
};

}  // namespace

std::vector<core::AxisValue> axis_values(const AxisRequest& request,
                                         const core::Capacities& capacities,
                                         std::vector<std::string>& notes, Mistakes& mistakes) {
  return Resolver(request, capacities, notes, mistakes).values();
}

}  // namespace config
