#include "run/signals.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <stdexcept>

#include "core/error.hpp"

namespace run {
namespace {

constexpr std::array kWatched{SIGINT, SIGTERM};
constexpr std::int64_t kSameRequestNs = 100'000'000;

// A handler has nothing but globals; lock-free ones are all it may touch.
std::atomic<int> first_signal{0};
std::atomic<std::int64_t> first_ns{0};
std::atomic<bool> in_use{false};
static_assert(std::atomic<int>::is_always_lock_free);
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::array<struct sigaction, kWatched.size()> before;

std::int64_t now_ns() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

extern "C" void on_signal(int number) {
  const int saved_errno = errno;
  const std::int64_t now = now_ns();
  std::int64_t first = 0;
  if (first_ns.compare_exchange_strong(first, now))
    first_signal = number;
  else if (now - first > kSameRequestNs)
    ::_exit(core::exit_code::kInterrupted);
  errno = saved_errno;
}

}  // namespace

Signals::Signals() {
  if (in_use.exchange(true)) throw std::logic_error("run::Signals is in use already");
  first_ns = 0;
  first_signal = 0;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;  // a file half written must not fail because of a polite request
  ::sigemptyset(&action.sa_mask);
  for (const int number : kWatched) ::sigaddset(&action.sa_mask, number);
  for (std::size_t i = 0; i < kWatched.size(); ++i) ::sigaction(kWatched[i], &action, &before[i]);
}

Signals::~Signals() {
  for (std::size_t i = 0; i < kWatched.size(); ++i) ::sigaction(kWatched[i], &before[i], nullptr);
  in_use = false;
}

bool Signals::interrupted() const { return first_signal != 0; }
int Signals::signal_number() const { return first_signal; }

}  // namespace run
