#include "run/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "run/journal_text.hpp"

namespace run {
namespace {

using Steady = std::chrono::steady_clock;
constexpr std::chrono::seconds kSyncInterval{1};

[[noreturn]] void fail(const std::filesystem::path& file, const char* doing, int error) {
  throw core::Error(core::exit_code::kUnknown,
                    fmt::format("journal {}: {}: {}", file.string(), doing,
                                std::generic_category().message(error)));
}

}  // namespace

struct Journal::State {
  std::filesystem::path file;
  int fd = -1;
  bool regular = false;
  off_t size = 0;      // whole lines only
  bool torn = false;   // a part of a line could not be taken out again: nothing may follow it
  bool dirty = false;  // something was written that fdatasync has not seen
  Steady::time_point synced = Steady::now();
  JournalText before = {};
  std::string repair = {};

  explicit State(std::filesystem::path path) : file(std::move(path)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (fd < 0) return;
    if (dirty) ::fdatasync(fd);
    ::close(fd);
  }

  void open(int flags);
  void lock();
  std::string read_all();
  void cut(std::size_t bytes);
  void append(std::string_view line);
  void sync();
};

void Journal::State::open(int flags) {
  fd = ::open(file.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | flags, 0666);
  if (fd < 0) fail(file, "open", errno);
  struct stat status = {};
  if (::fstat(fd, &status) != 0) fail(file, "fstat", errno);
  regular = S_ISREG(status.st_mode);
}

// Two processes that append to one journal would each resume from half of it.
void Journal::State::lock() {
  while (regular && ::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK)
      throw core::UnavailableError(
          fmt::format("journal {} is in use by another process", file.string()));
    return;  // file systems without locks exist on clusters (ENOLCK, ENOSYS): go on without
  }
}

std::string Journal::State::read_all() {
  std::string text;
  std::string block(1 << 16, '\0');
  for (;;) {
    const ssize_t got = ::pread(fd, block.data(), block.size(), static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(file, "read", errno);
    if (got == 0) return text;
    text.append(block, 0, static_cast<std::size_t>(got));
  }
}

void Journal::State::cut(std::size_t bytes) {
  if (::ftruncate(fd, static_cast<off_t>(bytes)) != 0) fail(file, "ftruncate", errno);
  size = static_cast<off_t>(bytes);
}

void Journal::State::append(std::string_view line) {
  if (torn) fail(file, "write after a torn line", EIO);
  dirty = true;
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t written = ::write(fd, rest.data(), rest.size());
    if (written > 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    const int error = written == 0 ? EIO : errno;
    if (error == EINTR) continue;
    torn = rest.size() != line.size() && (!regular || ::ftruncate(fd, size) != 0);
    fail(file, "write", error);
  }
  size += static_cast<off_t>(line.size());
  if (Steady::now() - synced >= kSyncInterval) sync();
}

void Journal::State::sync() {
  synced = Steady::now();
  if (!dirty) return;
  if (::fdatasync(fd) != 0 && regular) fail(file, "fdatasync", errno);
  dirty = false;
}

Journal::Journal(std::filesystem::path file, const Identity& identity)
    : state_(std::make_unique<State>(std::move(file))) {
  state_->open(O_CREAT);
  state_->lock();
  if (state_->regular) {
    const std::string name = state_->file.string();
    const auto occupied = [&](const std::string& by) {
      throw core::Error(core::exit_code::kUnknown, fmt::format("journal {} {}", name, by));
    };
    const std::string text = state_->read_all();
    JournalText before;
    try {
      before = parse_journal(text, name);
    } catch (const core::Error& error) {
      occupied(fmt::format("is not overwritten: {}", error.what()));
    }
    if (!before.recorded.empty())
      occupied("holds measurements: continue it with --resume, or remove it");
    state_->cut(0);
  }
  state_->append(identity_line(identity));
  state_->sync();
  // The name must survive a power failure too, not only the bytes.
  const auto folder = std::filesystem::absolute(state_->file).parent_path();
  if (const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); fd >= 0) {
    ::fsync(fd);
    ::close(fd);
  }
}

Journal::Journal(std::unique_ptr<State> state) : state_(std::move(state)) {}
Journal::Journal(Journal&&) noexcept = default;
Journal& Journal::operator=(Journal&&) noexcept = default;
Journal::~Journal() = default;

Journal Journal::resume(std::filesystem::path file, const Identity& identity) {
  auto state = std::make_unique<State>(std::move(file));
  const std::string name = state->file.string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(state->file, ignored))
    throw core::UsageError(fmt::format("{} is no journal of a run: no such regular file", name));
  state->open(0);
  state->lock();
  const std::string text = state->read_all();
  state->before = parse_journal(text, name);
  if (const std::size_t torn = text.size() - state->before.whole_bytes; torn > 0)
    state->repair = fmt::format(
        "the last line of {} was not whole ({} bytes without an end): what it was to hold is "
        "measured again",
        name, torn);
  if (state->before.identity) {
    const std::string changed = differences(*state->before.identity, identity);
    if (!changed.empty())
      throw core::UnavailableError(
          fmt::format("journal {} is of another experiment: {}", name, changed));
  }
  state->cut(state->before.whole_bytes);
  if (!state->before.identity) state->append(identity_line(identity));
  return Journal(std::move(state));
}

const std::map<std::string, std::vector<core::Repetition>>& Journal::recorded() const {
  return state_->before.recorded;
}
const std::map<std::string, std::vector<Failure>>& Journal::failures() const {
  return state_->before.failures;
}
const std::string& Journal::repair() const { return state_->repair; }
void Journal::add(const std::string& id, const core::Repetition& repetition) {
  state_->append(repetition_line(id, repetition));
}
void Journal::add(const std::string& id, const Failure& failure) {
  state_->append(failure_line(id, failure));
}
void Journal::sync() { state_->sync(); }
const std::filesystem::path& Journal::file() const { return state_->file; }

}  // namespace run
