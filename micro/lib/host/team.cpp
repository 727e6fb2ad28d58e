#include "host/team.hpp"

#include <exception>
#include <stdexcept>
#include <thread>

#include "host/pinning.hpp"

namespace host {

void SpinBarrier::arrive_and_wait() {
  constexpr int kSpins = 20'000;
  const int round = round_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
    arrived_.store(0, std::memory_order_relaxed);
    round_.store(round + 1, std::memory_order_release);
    return;
  }
  for (int spin = 0; round_.load(std::memory_order_acquire) == round; ++spin)
    if (spin > kSpins) std::this_thread::yield();
}

void run_together(const std::vector<int>& cpus, int threads,
                  const std::function<void(int thread)>& work) {
  if (threads < 1 || static_cast<std::size_t>(threads) > cpus.size())
    throw std::invalid_argument("as many threads as CPUs at most, and at least one");
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(threads));
  const auto one = [&](int thread) {
    const ScopedPin pin(cpus[static_cast<std::size_t>(thread)]);
    try {
      work(thread);
    } catch (...) {
      errors[static_cast<std::size_t>(thread)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(one, thread);
    one(0);
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace host
