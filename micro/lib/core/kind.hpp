#pragma once
// The kind of question a probe answers: the folder of micro/ that it stands in.

#include <optional>
#include <string_view>

namespace core {

enum class Kind { latency, bandwidth, pattern, reuse, hiding, overhead };

std::string_view to_string(Kind kind);
std::optional<Kind> kind_from(std::string_view word);

/// "latency/global" -> Kind::latency. Throws std::invalid_argument for a name outside the six
/// folders.
Kind kind_of_probe(std::string_view probe_name);

}  // namespace core
