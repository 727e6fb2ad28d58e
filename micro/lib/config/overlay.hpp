#pragma once
// What is laid over a configuration before it is typed: a file over the one it extends, and --set
// over both.

#include <string>
#include <string_view>

#include "config/document.hpp"

namespace config {

/// The keys of `child` replace those of `parent`; the child's stanzas come after the parent's.
Node extended(Node parent, Node child);

/// Applies one "a.b=value" ("stanzas.0.footprint=4KiB", "stanzas[0].footprint=[1KiB, 2KiB]"); the
/// value is YAML. A new key is added and judged by the schema, as if the file had it.
void apply_set(Node& root, std::string_view set, Mistakes& mistakes);

}  // namespace config
