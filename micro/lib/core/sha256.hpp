#pragma once
// SHA-256 (FIPS 180-4): the hash of configurations, machine code and result files. Identity, not
// secrecy.

#include <string>
#include <string_view>

namespace core {

/// 64 lower-case hex digits of the bytes of `bytes`.
std::string sha256(std::string_view bytes);

}  // namespace core
