#pragma once
// Which machine code ran.

#include <string>

namespace host {

/// SHA-256 of this program's executable segments as they are in memory (position-independent code
/// is not patched on loading); shared libraries are not part of it. Computed once, some
/// milliseconds.
const std::string& machine_code_sha256();

}  // namespace host
