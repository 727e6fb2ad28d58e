#pragma once
// gzip in memory: what travels in a .gz file.

#include <string>
#include <string_view>

namespace report {

/// Highest level, no time and no name in the header: equal content gives equal bytes.
std::string compress(std::string_view content);

/// True when the bytes begin as a gzip stream does.
bool is_compressed(std::string_view bytes);

/// Throws std::runtime_error: "is truncated", "is damaged", "holds more than 1 GiB".
std::string decompress(std::string_view bytes);

}  // namespace report
