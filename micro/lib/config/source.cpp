// read_file: yaml-cpp's own LoadFile leaks on a directory and has no limits.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "config/document.hpp"
#include "config/wording.hpp"

namespace config {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, std::string what) {
  throw Errors({{.place = {.file = file.string()}, .path = {}, .what = std::move(what)}});
}

std::string reason(int error) { return std::generic_category().message(error); }

std::string missing(const std::filesystem::path& file) {
  std::vector<std::string> names;
  std::error_code ignored;  // a folder that cannot be listed gives no suggestion
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().filename().string());
  const std::string near = nearest(file.filename().string(), names);
  if (near.empty()) return "no such file";
  return fmt::format("no such file; did you mean {}?", (file.parent_path() / near).string());
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::string read_file(const std::filesystem::path& file) {
  // Non-blocking, so that opening a pipe without a writer does not wait for one.
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (in.number() < 0)
    refuse(file, errno == ENOENT ? missing(file) : "cannot be opened: " + reason(errno));
  struct stat info = {};
  if (::fstat(in.number(), &info) != 0) refuse(file, "cannot be read: " + reason(errno));
  if (S_ISDIR(info.st_mode)) refuse(file, "is a directory; a configuration is a YAML file");
  if (!S_ISREG(info.st_mode)) refuse(file, "is no regular file; a configuration is a YAML file");
  if (info.st_size > static_cast<off_t>(kMaxFileBytes))
    refuse(file, fmt::format("is larger than 1 MiB ({} bytes)", info.st_size));

  std::string text(kMaxFileBytes + 1, '\0');  // one more: a file may grow, or not say its size
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t got = ::read(in.number(), text.data() + filled, text.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(file, "cannot be read: " + reason(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  text.resize(filled);
  if (text.size() > kMaxFileBytes) refuse(file, "is larger than 1 MiB");
  if (text.empty()) refuse(file, "is empty; a configuration names at least backend and stanzas");
  return text;
}

}  // namespace config
