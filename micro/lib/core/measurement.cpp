#include "core/measurement.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace core {
namespace {

constexpr std::array<std::pair<Status, std::string_view>, 5> kStatuses{{
    {Status::ok, "ok"},
    {Status::unstable, "unstable"},
    {Status::invalid, "invalid"},
    {Status::skipped, "skipped"},
    {Status::failed, "failed"},
}};

constexpr std::array<std::pair<Verdict, std::string_view>, 4> kVerdicts{{
    {Verdict::pass, "pass"},
    {Verdict::fail, "fail"},
    {Verdict::not_available, "not available"},
    {Verdict::not_applicable, "not applicable"},
}};

template <typename Table>
auto value_named(const Table& table, std::string_view word)
    -> std::optional<std::decay_t<decltype(table[0].first)>> {
  for (const auto& [value, name] : table)
    if (name == word) return value;
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Status status) {
  return kStatuses[static_cast<std::size_t>(status)].second;
}
std::optional<Status> status_from(std::string_view word) { return value_named(kStatuses, word); }

std::string_view to_string(Verdict verdict) {
  return kVerdicts[static_cast<std::size_t>(verdict)].second;
}
std::optional<Verdict> verdict_from(std::string_view word) { return value_named(kVerdicts, word); }

const Estimate* Measurement::estimate(std::string_view name, std::string_view unit) const {
  const auto at = std::ranges::find_if(
      summary, [&](const Estimate& e) { return e.name == name && e.unit == unit; });
  return at == summary.end() ? nullptr : &*at;
}

}  // namespace core
