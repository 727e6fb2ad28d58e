#pragma once
// The one way to write a configuration: what --print-config prints, the result records, and the
// hash is of.

#include <string>

#include "config/config.hpp"

namespace config {

/// YAML with every key in a fixed order and every default written out. config::read_text() of it
/// gives the same configuration and the same text.
std::string normalised(const Config& config);

}  // namespace config
