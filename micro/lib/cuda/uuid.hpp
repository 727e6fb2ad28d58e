#pragma once
// A device's identity as text.

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>

namespace cuda {

/// 16 bytes -> "3f2a1b0c-0011-2233-4455-66778899aabb"; the prefix GPU- or MIG- is the caller's.
template <typename Byte>
std::string uuid_digits(std::span<const Byte, 16> bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) {
      text += '-';
    }
    text += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i]));
  }
  return text;
}

}  // namespace cuda
