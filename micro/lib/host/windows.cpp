#include "host/windows.hpp"

#include <algorithm>
#include <cstdint>

#include "host/chase.hpp"
#include "host/core_clock.hpp"
#include "host/team.hpp"
#include "host/timer.hpp"

namespace host {
namespace {

// One cache line pair a thread: a thread's stamps must not slow its neighbour's.
struct alignas(128) Stamps {
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> end;
  core::Clock clock;
};

constexpr std::size_t kWindowBytes = std::size_t{8} << 20;  // a thread: 40 us at 64 bytes a cycle
constexpr int kLeastWindows = 15;

}  // namespace

StreamPlan plan_stream(std::size_t array_bytes, std::size_t arrays) {
  const std::size_t bytes = array_bytes * arrays;
  const auto slices = static_cast<int>((bytes + kWindowBytes - 1) / kWindowBytes);
  return {.array_bytes = array_bytes,
          .passes = static_cast<int>(std::max<std::size_t>(1, kWindowBytes / bytes)),
          .slices = slices,
          .rounds = 1 + (kLeastWindows + slices - 1) / slices};
}

std::size_t StreamPlan::slice_begin(int slice) const {
  const std::size_t lines = array_bytes / kLineBytes;
  return lines * static_cast<std::size_t>(slice) / static_cast<std::size_t>(slices) * kLineBytes;
}

std::size_t StreamPlan::slice_bytes(int window) const {
  return slice_begin(window % slices + 1) - slice_begin(window % slices);
}

Windows timed_windows(const DeviceInfo& device, int threads, int warm, int count,
                      const std::function<void(int thread, int window)>& work) {
  std::vector<Stamps> stamps(static_cast<std::size_t>(threads));
  SpinBarrier barrier(threads);
  run_together(device.cpus, threads, [&](int thread) {
    Stamps& mine = stamps[static_cast<std::size_t>(thread)];
    mine.start.resize(static_cast<std::size_t>(count));
    mine.end.resize(static_cast<std::size_t>(count));
    barrier.arrive_and_wait();
    const core::Clock before = measure_core_clock();
    for (int window = 0; window < count; ++window) {
      barrier.arrive_and_wait();
      const std::int64_t start = now_ns();
      work(thread, window);
      const std::int64_t end = now_ns();
      mine.start[static_cast<std::size_t>(window)] = start;
      mine.end[static_cast<std::size_t>(window)] = end;
    }
    barrier.arrive_and_wait();
    mine.clock = joined(before, measure_core_clock());
  });

  Windows result{.ns = {}, .clock = {.method = stamps.front().clock.method}};
  for (auto window = static_cast<std::size_t>(warm); window < static_cast<std::size_t>(count);
       ++window) {
    std::int64_t first = stamps.front().start[window];
    std::int64_t last = stamps.front().end[window];
    for (const Stamps& one : stamps) {
      first = std::min(first, one.start[window]);
      last = std::max(last, one.end[window]);
    }
    result.ns.push_back(static_cast<double>(last - first));
  }
  for (const Stamps& one : stamps) {
    result.clock.cycles += one.clock.cycles;
    result.clock.ns += one.clock.ns;
  }
  return result;
}

}  // namespace host
