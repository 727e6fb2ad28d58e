#include "report/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace report {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

// An open file descriptor; close() reports what a destructor must keep to itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  /// errno, or 0.
  int close() {
    if (number_ < 0) return 0;
    const int result = ::close(number_);
    number_ = -1;
    return result == 0 ? 0 : errno;
  }

 private:
  int number_;
};

/// errno, or 0 when everything was taken.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// errno, or 0. Some file systems and devices cannot sync, which is no fault of the content.
int sync(int descriptor) {
  if (::fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP) return 0;
  return errno;
}

int write_in_place(int descriptor, std::string_view content) {
  Descriptor target(descriptor);
  if (!target.is_open()) return errno;
  if (const int error = write_all(target.number(), content)) return error;
  return target.close();
}

Descriptor make_temporary(const fs::path& target, fs::path& temporary) {
  for (int attempt = 0;; ++attempt) {
    temporary = target.parent_path() /
                ("." + target.filename().string() + "." + std::to_string(::getpid()) + "-" +
                 std::to_string(attempt) + ".tmp");
    const int number = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number >= 0 || errno != EEXIST || attempt > 100) return Descriptor(number);
  }
}

int sync_folder(const fs::path& folder) {
  Descriptor descriptor(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder that may be written and not read cannot be synced; the file itself is safe.
  return descriptor.is_open() ? sync(descriptor.number()) : 0;
}

int replace(const fs::path& target, std::string_view content, const struct stat* old) {
  fs::path temporary;
  Descriptor descriptor = make_temporary(target, temporary);
  if (!descriptor.is_open()) return errno;
  int error = write_all(descriptor.number(), content);
  if (!error && old && ::fchmod(descriptor.number(), old->st_mode & 07777) != 0) error = errno;
  if (!error) error = sync(descriptor.number());
  if (!error) error = descriptor.close();
  if (!error && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error) {
    ::unlink(temporary.c_str());
    return error;
  }
  return sync_folder(target.parent_path());
}

// A link to nothing names the file that is to be made.
fs::path behind_dangling_link(const fs::path& file) {
  std::error_code none;
  const fs::path link = fs::read_symlink(file, none);
  return none ? file : file.parent_path() / link;
}

int write_to(const fs::path& file, std::string_view content) {
  if (file == "-") return write_all(STDOUT_FILENO, content);
  struct stat old {};
  if (::stat(file.c_str(), &old) != 0) {
    if (errno != ENOENT) return errno;
    return replace(behind_dangling_link(file), content, nullptr);
  }
  if (S_ISDIR(old.st_mode)) return EISDIR;
  if (!S_ISREG(old.st_mode))
    return write_in_place(::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY), content);
  std::error_code unresolved;
  const fs::path target = fs::canonical(file, unresolved);
  return unresolved ? unresolved.value() : replace(target, content, &old);
}

}  // namespace

void write_file(const fs::path& file, std::string_view content) {
  if (const int error = write_to(file, content))
    throw core::Error(core::exit_code::kUnknown,
                      "cannot write " + file.string() + ": " + reason(error));
}

std::string read_file(const fs::path& file) {
  const auto refuse = [&](int error) {
    return core::UsageError("cannot read " + file.string() + ": " + reason(error));
  };
  Descriptor source(file == "-" ? ::dup(STDIN_FILENO)
                                : ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!source.is_open()) throw refuse(errno);
  std::string content;
  for (;;) {
    const std::size_t before = content.size();
    content.resize(before + (std::size_t{1} << 16) + before / 2);
    const ssize_t got = ::read(source.number(), content.data() + before, content.size() - before);
    if (got < 0 && errno != EINTR) throw refuse(errno);
    content.resize(before + static_cast<std::size_t>(got < 0 ? 0 : got));
    if (got == 0) return content;
  }
}

}  // namespace report
