#pragma once
// Several pinned threads that start a window together.

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace host {

/// All arrive, then all go on: spinning, because a sleeping thread would start its window tens of
/// microseconds late; yielding after a while, because a CPU may be taken away.
class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}
  void arrive_and_wait();

 private:
  const int threads_;
  std::atomic<int> arrived_{0};
  std::atomic<int> round_{0};
};

/// Runs work(thread) for thread 0 .. threads-1 at once, each pinned to cpus[thread] where the
/// kernel allows it; thread 0 is the caller. An exception of any thread is rethrown when all have
/// ended, so `work` must not throw between barriers. Throws std::invalid_argument for more threads
/// than CPUs.
void run_together(const std::vector<int>& cpus, int threads,
                  const std::function<void(int thread)>& work);

}  // namespace host
