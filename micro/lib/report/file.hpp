#pragma once
// Whole files, safely: a reader of the target sees the old content or the new, never a part.

#include <filesystem>
#include <string>
#include <string_view>

namespace report {

/// A regular (or new) file: temp file in the same folder, fsync, rename, fsync of the folder;
/// symbolic links are followed. "-" is standard output. Anything else (/dev/full, a pipe) is opened
/// and written, never renamed over; a pipe that nobody reads is an error. Throws core::Error(3):
/// "cannot write FILE: No space left on device".
void write_file(const std::filesystem::path& file, std::string_view content);

/// Tries it by making a file there, and removes the temp files of runs that were killed more than a
/// day ago. Throws as write_file().
void require_writable_folder(const std::filesystem::path& folder);

/// What is no regular file, before there is anything to write. A pipe has its reader from here on:
/// it stays open until the process ends. Throws as write_file().
void require_writable_special(const std::filesystem::path& file);

/// "-" is standard input. Throws core::UsageError with errno's text.
std::string read_file(const std::filesystem::path& file);

}  // namespace report
