#pragma once
// What is known of this machine, as the record of a run.

#include "core/backend.hpp"
#include "host/context.hpp"

namespace host {

/// Measures the core clock as it is now (under 1 ms).
core::Description describe(const Context& context);

}  // namespace host
