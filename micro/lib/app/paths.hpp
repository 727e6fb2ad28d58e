#pragma once
// What travels with the program: configurations and the plot scripts, found from where the program
// itself is.

#include <filesystem>

namespace app {

/// The folder that holds `configs/` and `plot/`: ../share/gpu_memory_map beside an installed
/// program, else the source tree that this program was built from. Throws core::UnavailableError
/// naming both when neither is there.
std::filesystem::path shared_folder();
/// The same for a program at `program`, built from `source`.
std::filesystem::path shared_folder(const std::filesystem::path& program,
                                    const std::filesystem::path& source);

/// The program's own file, links resolved.
std::filesystem::path program_file();

/// As a person would type it: relative to the current folder when it lies below it, else unchanged.
std::filesystem::path shown(const std::filesystem::path& path);

}  // namespace app
