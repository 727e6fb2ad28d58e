#include "host/core_clock.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/median.hpp"
#include "host/timer.hpp"

namespace host {
namespace {

constexpr int kSteadyCount = 8;
constexpr double kSteadyShare = 0.005;
constexpr int kAddsPerTurn = 64;
constexpr int kShortTurns = 400;  // 25,600 additions: about 8 us
constexpr int kLongTurns = 1600;

// Register to register: newer cores resolve additions of a constant at renaming, in no time. The
// empty asm makes each sum opaque, so that the compiler keeps every addition and their order.
[[gnu::noinline]] std::uint64_t add_chain(std::uint64_t sum, std::uint64_t step, int turns) {
#pragma GCC unroll 1
  for (; turns > 0; --turns) {
#pragma GCC unroll 64
    for (int add = 0; add < kAddsPerTurn; ++add) {
      sum += step;
      asm volatile("" : "+r"(sum), "+r"(step));
    }
  }
  return sum;
}

double timed_ns(int turns, std::uint64_t& sum) {
  const std::int64_t start = now_ns();
  sum = add_chain(sum, 3, turns);
  asm volatile("" : "+r"(sum)::"memory");
  return static_cast<double>(now_ns() - start);
}

}  // namespace

core::Clock measure_core_clock(int windows) {
  std::vector<double> differences;
  differences.reserve(static_cast<std::size_t>(windows));
  std::uint64_t sum = 1;
  for (int window = 0; window < windows; ++window) {
    const double shorter = timed_ns(kShortTurns, sum);
    differences.push_back(timed_ns(kLongTurns, sum) - shorter);
  }
  constexpr double kAdds = static_cast<double>(kLongTurns - kShortTurns) * kAddsPerTurn;
  return {.cycles = kAdds * windows,
          .ns = core::median(differences) * windows,
          .method = "dependent-add calibration around the measurement, median window"};
}

core::Clock joined(const core::Clock& before, const core::Clock& after) {
  return {before.cycles + after.cycles, before.ns + after.ns, before.method};
}

WarmUp warm_until_steady(double limit_seconds) {
  WarmUp result;
  const std::int64_t start = now_ns();
  std::deque<double> last;
  while (!result.steady && result.seconds < limit_seconds) {
    result.clock = measure_core_clock();
    result.seconds = static_cast<double>(now_ns() - start) * 1e-9;
    last.push_back(result.clock.hertz());
    if (last.size() > kSteadyCount) last.pop_front();
    const auto [low, high] = std::ranges::minmax(last);
    result.spread = low > 0 ? (high - low) / low : 1;
    result.steady = last.size() == kSteadyCount && result.spread <= kSteadyShare;
  }
  return result;
}

}  // namespace host
