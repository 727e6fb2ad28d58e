#include "host/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "host/pinning.hpp"
#include "host/timer.hpp"
#include "host/windows.hpp"

namespace {

TEST(Team, runs_every_thread_once_each_on_its_cpu) {
  const std::vector<int> cpus = host::allowed_cpus();
  const int threads = static_cast<int>(cpus.size());
  std::vector<int> runs(cpus.size());
  std::vector<std::vector<int>> where(cpus.size());
  host::run_together(cpus, threads, [&](int thread) {
    ++runs[static_cast<std::size_t>(thread)];
    where[static_cast<std::size_t>(thread)] = host::allowed_cpus();
  });
  for (std::size_t thread = 0; thread < cpus.size(); ++thread) {
    EXPECT_EQ(runs[thread], 1);
    EXPECT_EQ(where[thread], (std::vector<int>{cpus[thread]}));
  }
  EXPECT_EQ(host::allowed_cpus(), cpus);
}

TEST(Team, larger_than_the_machine_is_refused) {
  EXPECT_THROW(host::run_together({0}, 2, [](int) {}), std::invalid_argument);
  EXPECT_THROW(host::run_together({0}, 0, [](int) {}), std::invalid_argument);
}

TEST(Team, hands_on_what_a_thread_throws) {
  const std::vector<int> cpus(2, host::allowed_cpus().front());
  EXPECT_THROW(host::run_together(cpus, 2,
                                  [](int thread) {
                                    if (thread == 1) throw std::runtime_error("from a thread");
                                  }),
               std::runtime_error);
}

TEST(SpinBarrier, lets_nobody_pass_before_all_have_arrived) {
  constexpr int kThreads = 3;
  constexpr int kRounds = 200;
  const std::vector<int> cpus(kThreads, host::allowed_cpus().front());
  host::SpinBarrier barrier(kThreads);
  std::atomic<int> arrived = 0;
  std::atomic<bool> early = false;
  host::run_together(cpus, kThreads, [&](int) {
    for (int round = 1; round <= kRounds; ++round) {
      ++arrived;
      barrier.arrive_and_wait();
      if (arrived < round * kThreads) early = true;
      barrier.arrive_and_wait();
    }
  });
  EXPECT_FALSE(early);
  EXPECT_EQ(arrived, kThreads * kRounds);
}

TEST(TimedWindows, leave_the_warm_ones_out_and_span_the_slowest_thread) {
  host::DeviceInfo device;
  device.cpus = host::allowed_cpus();
  std::atomic<int> calls = 0;
  const host::Windows timed = host::timed_windows(device, 1, 2, 5, [&](int, int window) {
    ++calls;
    const std::int64_t start = host::now_ns();
    while (host::now_ns() < start + (window == 3 ? 400'000 : 50'000)) {
    }
  });
  EXPECT_EQ(calls, 5);
  ASSERT_EQ(timed.ns.size(), 3u);
  EXPECT_GE(timed.ns[0], 50'000);
  EXPECT_GE(timed.ns[1], 400'000);
  EXPECT_GT(timed.clock.hertz(), 0.4e9);
}

}  // namespace
