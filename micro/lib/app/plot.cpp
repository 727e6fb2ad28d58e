#include "app/plot.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "app/paths.hpp"
#include "core/error.hpp"

namespace app {
namespace {

// The build's own environment first: where matplotlib had to be installed, it is only there. Then
// the distribution's: another python3 on PATH does not see the distribution's matplotlib.
std::string python() {
  const auto own = program_file().parent_path().parent_path() / "venv" / "bin" / "python";
  for (const std::string& candidate : {own.string(), std::string("/usr/bin/python3")})
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  return "python3";
}

}  // namespace

void plot(const std::filesystem::path& file, const std::vector<std::string>& options) {
  if (!std::filesystem::exists(file))
    throw core::UsageError("cannot read " + file.string() + ": " + std::strerror(ENOENT));
  const auto script = shared_folder() / "plot" / "plot.py";
  if (!std::filesystem::exists(script))
    throw core::UnavailableError("the plot script is not there: " + script.string());

  // -B: an installed folder may be read-only, and is left as it is where it is not.
  std::vector<std::string> words{python(), "-B", script.string(), file.string()};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  throw core::UnavailableError("cannot run " + words[0] + ": " + std::strerror(errno));
}

}  // namespace app
