#include "core/kind.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace core {
namespace {

constexpr std::array<std::pair<Kind, std::string_view>, 6> kKinds{{
    {Kind::latency, "latency"},
    {Kind::bandwidth, "bandwidth"},
    {Kind::pattern, "pattern"},
    {Kind::reuse, "reuse"},
    {Kind::hiding, "hiding"},
    {Kind::overhead, "overhead"},
}};

}  // namespace

std::string_view to_string(Kind kind) { return kKinds[static_cast<std::size_t>(kind)].second; }

std::optional<Kind> kind_from(std::string_view word) {
  for (const auto& [kind, name] : kKinds)
    if (name == word) return kind;
  return std::nullopt;
}

Kind kind_of_probe(std::string_view probe_name) {
  const auto slash = probe_name.find('/');
  if (slash != std::string_view::npos && slash + 1 < probe_name.size())
    if (const auto kind = kind_from(probe_name.substr(0, slash))) return *kind;
  throw std::invalid_argument("'" + std::string(probe_name) +
                              "' is no probe name: write kind/probe, kind one of latency, "
                              "bandwidth, pattern, reuse, hiding, overhead");
}

}  // namespace core
