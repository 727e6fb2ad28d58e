#include "run/watchdog.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <utility>

#include "core/error.hpp"

namespace run {
namespace {

// Not stdio: the thread that hangs may hold its lock.
void write_to_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written > 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (written == 0 || errno != EINTR)
      return;
  }
}

}  // namespace

Watchdog::Watchdog(double least_seconds, std::function<void()> before_exit)
    : tick_seconds_(std::clamp(least_seconds / 20, 0.001, 1.0)),
      before_exit_(std::move(before_exit)) {
  // Signals belong to the thread that measures: its system calls are what they have to interrupt.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { loop(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_one();
  thread_.join();
}

Watchdog::Watch Watchdog::watch(double seconds, std::string line) {
  const std::lock_guard lock(mutex_);
  ++watches_;
  armed_ = true;
  limit_seconds_ = seconds;
  line_ = std::move(line);
  return Watch(this);  // no notification: waking a thread here would disturb what is measured
}

void Watchdog::disarm() {
  const std::lock_guard lock(mutex_);
  armed_ = false;
}

void Watchdog::loop() {
  using Seconds = std::chrono::duration<double>;
  std::unique_lock lock(mutex_);
  std::uint64_t seen = 0;
  double waited_seconds = 0;
  auto looked = std::chrono::steady_clock::now();
  while (!stop_) {
    stopped_.wait_for(lock, Seconds(tick_seconds_));
    const auto now = std::chrono::steady_clock::now();
    const double passed_seconds = Seconds(now - looked).count();
    looked = now;
    if (!armed_ || watches_ != seen) {
      seen = watches_;
      waited_seconds = 0;
      continue;
    }
    // A tick that took far longer than a tick means that this thread stood still as well.
    waited_seconds += std::min(passed_seconds, 2 * tick_seconds_);
    if (waited_seconds > limit_seconds_ && !stop_) end_process();
  }
}

// With mutex_ held: the measuring thread cannot get past disarm() and be cut off inside a write.
void Watchdog::end_process() {
  write_to_stderr(line_ + "\n");
  try {
    if (before_exit_) before_exit_();
  } catch (...) {  // what was written is in the page cache, and survives the process
  }
  ::_exit(core::exit_code::kUnknown);
}

}  // namespace run
