#pragma once
// Which CPUs this process may use, and staying on one of them while measuring.

#include <string>
#include <vector>

namespace host {

/// CPUs of the calling thread's affinity mask, ascending; empty when the kernel does not say.
std::vector<int> allowed_cpus();

/// "0-3,8" -> {0, 1, 2, 3, 8}. Throws std::invalid_argument.
std::vector<int> parse_cpu_list(const std::string& text);

/// Puts the calling thread on one CPU and back where it was: threads and processes that others
/// start between measurements must not inherit the pin.
class ScopedPin {
 public:
  explicit ScopedPin(int cpu);
  ~ScopedPin();
  ScopedPin(const ScopedPin&) = delete;
  ScopedPin& operator=(const ScopedPin&) = delete;

  /// Empty when the thread is pinned, else why not ("sched_setaffinity: Operation not permitted").
  const std::string& refused() const { return refused_; }

 private:
  std::vector<int> before_;
  std::string refused_;
};

}  // namespace host
