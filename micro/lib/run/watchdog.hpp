#pragma once
// Ends the process when a measurement does not come back: a hung GPU does not return from a
// synchronisation, so nothing but another thread can notice.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace run {

class Watchdog {
 public:
  /// `least_seconds` is the shortest limit that will be watched (> 0); it is looked at 20 times per
  /// such span, at least once a second. `before_exit` syncs the journal.
  Watchdog(double least_seconds, std::function<void()> before_exit);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Ends with its scope; nullptr watches nothing.
  class Watch {
   public:
    explicit Watch(Watchdog* watchdog) : watchdog_(watchdog) {}
    Watch(Watch&& other) noexcept : watchdog_(std::exchange(other.watchdog_, nullptr)) {}
    Watch& operator=(Watch&&) = delete;
    ~Watch() {
      if (watchdog_) watchdog_->disarm();
    }

   private:
    Watchdog* watchdog_;
  };
  /// While the returned object lives: more than `seconds` -> `line` on stderr, before_exit, and
  /// _exit(3). Time in which the whole process was stopped (Ctrl-Z) does not count. One at a time.
  [[nodiscard]] Watch watch(double seconds, std::string line);

 private:
  void disarm();
  void loop();
  [[noreturn]] void end_process();

  const double tick_seconds_;
  const std::function<void()> before_exit_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  bool armed_ = false;
  std::uint64_t watches_ = 0;  // tells one watch from the next
  double limit_seconds_ = 0;
  std::string line_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace run
