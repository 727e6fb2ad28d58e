#pragma once
// The tree as typed values: the keys that a configuration may have, and what each may be.
// configs/config.schema.json says the same to editors.

#include "config/config.hpp"
#include "config/document.hpp"

namespace config {

/// Everything but `name`, `text` and `sha256`. What is wrong goes to `mistakes`, and the rest is
/// read on.
Config typed(const Node& root, Mistakes& mistakes);

}  // namespace config
