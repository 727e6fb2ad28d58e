#pragma once
// Whole files, safely: a reader of the target sees the old content or the new, never a part.

#include <filesystem>
#include <string>
#include <string_view>

namespace report {

/// A regular (or new) file: temp file in the same folder, fsync, rename, fsync of the folder;
/// symbolic links are followed. "-" is standard output. Anything else (/dev/full, a pipe) is opened
/// and written, never renamed over. Throws core::Error(3): "cannot write FILE: No space left on
/// device".
void write_file(const std::filesystem::path& file, std::string_view content);

/// "-" is standard input. Throws core::UsageError with errno's text.
std::string read_file(const std::filesystem::path& file);

}  // namespace report
