#pragma once
// The smallest nouns: a named number with its unit, and a fact about the context.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace core {

struct Quantity {
  std::string name;
  std::string unit;
  double value = 0;

  bool operator==(const Quantity&) const = default;
};

/// The quantity of that name and unit, or nullptr.
inline const Quantity* find(const std::vector<Quantity>& all, std::string_view name,
                            std::string_view unit) {
  const auto at = std::ranges::find_if(
      all, [&](const Quantity& q) { return q.name == name && q.unit == unit; });
  return at == all.end() ? nullptr : &*at;
}

/// One entry of the run's context. Names carry their unit (`power_limit_w`). What could not be read
/// is not a Fact but an entry of Description::missing, with its reason.
struct Fact {
  using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;
  std::string name;
  Value value;

  bool operator==(const Fact&) const = default;
};
using Facts = std::vector<Fact>;

inline const Fact* find(const Facts& all, std::string_view name) {
  const auto at = std::ranges::find_if(all, [&](const Fact& f) { return f.name == name; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace core
