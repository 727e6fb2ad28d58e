#pragma once
// Figures are drawn by the Python scripts of plot/, which know nothing but the result file.

#include <filesystem>
#include <string>
#include <vector>

namespace app {

/// Becomes the plot script: returns only when it could not, by throwing core::UsageError (no such
/// file) or core::UnavailableError (no script, no python3).
[[noreturn]] void plot(const std::filesystem::path& file, const std::vector<std::string>& options);

}  // namespace app
