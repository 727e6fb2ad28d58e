#include "app/paths.hpp"

#include <string>

#include "core/error.hpp"

namespace app {

std::filesystem::path program_file() {
  std::error_code error;
  const auto file = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    throw core::UnavailableError("cannot tell where the program is: /proc/self/exe: " +
                                 error.message());
  return file;
}

std::filesystem::path shared_folder(const std::filesystem::path& program,
                                    const std::filesystem::path& source) {
  const auto installed = program.parent_path().parent_path() / "share" / "gpu_memory_map";
  for (const auto& folder : {installed, source})
    if (std::filesystem::is_directory(folder / "configs")) return folder;
  throw core::UnavailableError("the configurations are neither in " + installed.string() +
                               " nor in " + source.string());
}

std::filesystem::path shared_folder() { return shared_folder(program_file(), MICRO_SOURCE_FOLDER); }

std::filesystem::path shown(const std::filesystem::path& path) {
  std::error_code error;
  const auto here = std::filesystem::current_path(error);
  if (error || path.is_relative()) return path;
  const auto relative = path.lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? path : relative;
}

}  // namespace app
