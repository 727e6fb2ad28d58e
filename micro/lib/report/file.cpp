#include "report/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
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

// Opening a pipe for writing waits for its reader, for ever if none comes: not so here. Writing
// then waits for the reader as it should.
int open_in_place(const fs::path& file) {
  const int number = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (number >= 0) ::fcntl(number, F_SETFL, ::fcntl(number, F_GETFL) & ~O_NONBLOCK);
  return number;
}

int write_in_place(int descriptor, std::string_view content) {
  Descriptor target(descriptor);
  if (!target.is_open()) return errno;
  if (const int error = write_all(target.number(), content)) return error;
  return target.close();
}

constexpr std::string_view kTemporaryPrefix = ".suite-";
constexpr std::string_view kTemporarySuffix = ".tmp";

Descriptor make_temporary(const fs::path& folder, fs::path& temporary) {
  for (int attempt = 0;; ++attempt) {
    temporary = folder / (std::string(kTemporaryPrefix) + std::to_string(::getpid()) + "-" +
                          std::to_string(attempt) + std::string(kTemporarySuffix));
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
  Descriptor descriptor = make_temporary(target.parent_path(), temporary);
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
  if (!S_ISREG(old.st_mode)) return write_in_place(open_in_place(file), content);
  std::error_code unresolved;
  const fs::path target = fs::canonical(file, unresolved);
  return unresolved ? unresolved.value() : replace(target, content, &old);
}

core::Error cannot_write(const fs::path& file, int error) {
  std::error_code none;
  std::string why = reason(error);
  if (error == ENXIO && fs::is_fifo(file, none))
    why = "nobody reads this pipe; start its reader first, then this program";
  else if (fs::is_directory(file, none))
    why += "; --json and --csv take files elsewhere";
  return {core::exit_code::kUnknown, "cannot write " + file.string() + ": " + why};
}

// What a run that was killed while it wrote left behind: nobody else removes it. A day later no run
// is still writing it, on whichever machine it is.
void remove_old_temporaries(const fs::path& folder) {
  constexpr std::time_t kDaySeconds = 24 * 60 * 60;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    struct stat status {};
    if (name.starts_with(kTemporaryPrefix) && name.ends_with(kTemporarySuffix) &&
        ::lstat(entry->path().c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
        std::time(nullptr) - status.st_mtime > kDaySeconds)
      ::unlink(entry->path().c_str());
  }
}

}  // namespace

void write_file(const fs::path& file, std::string_view content) {
  if (const int error = write_to(file, content)) throw cannot_write(file, error);
}

// Permissions do not tell: root may everywhere, except on a read-only file system. Trying does.
void require_writable_folder(const fs::path& folder) {
  fs::path temporary;
  const Descriptor descriptor = make_temporary(folder, temporary);
  if (!descriptor.is_open()) throw cannot_write(folder, errno);
  ::unlink(temporary.c_str());
  remove_old_temporaries(folder);
}

// Held until the process ends: a reader takes the end of the last writer for the end of the file.
void require_writable_special(const fs::path& file) {
  if (file == "-") return;
  std::error_code none;
  if (fs::is_fifo(file, none)) {
    if (open_in_place(file) < 0) throw cannot_write(file, errno);
  } else if (::access(file.c_str(), W_OK) != 0) {
    throw cannot_write(file, errno);
  }
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
