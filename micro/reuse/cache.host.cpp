// Question: what is kept? Time per byte when a working set is read this many times over, beginning
//   with none of it in a cache: what fits is paid for once, what does not is paid for every time.
// Method: on one pinned core, in rounds: another region, twice the last cache, is read to push the
//   working set out; then it is read `passes` times in order, in the widest registers that the CPU has,
//   in one timed interval. Median of the rounds, over the bytes of all passes.
// Holds when: reading twice the size of the last cache pushes everything out, which the single pass
//   shows: it costs per byte what memory costs.
// Flaws: passes in order are what prefetchers are made for. A cache shared with other cores is pushed
//   out by what they do as well, between passes too. Address translation of the set is cold at the
//   start of a round, too.

#include <algorithm>
#include <vector>

#include "core/answers.hpp"
#include "core/median.hpp"
#include "host/chase.hpp"
#include "host/context.hpp"
#include "host/core_clock.hpp"
#include "host/fill.hpp"
#include "host/vector_width.hpp"

namespace {

constexpr std::size_t kPlacement = 4096;
constexpr int kRounds = 11;
constexpr std::size_t kLeastEviction = std::size_t{8} << 20;  // where no cache is stated

// Four sums: one would make every load wait for the addition before. The empty asm says that memory may
// have changed, so that no pass is dropped.
template <std::size_t Bytes>
[[gnu::always_inline]] inline std::uint64_t sum_passes(host::Words words, int passes) {
  using Register = typename host::Register<Bytes>::Words;
  const auto* const from = reinterpret_cast<const Register*>(words.data());
  const std::size_t count = words.size_bytes() / Bytes;
  Register sums[4] = {};
  for (int pass = 0; pass < passes; ++pass) {
#pragma GCC unroll 2
    for (std::size_t i = 0; i + 4 <= count; i += 4) {
#pragma GCC unroll 4
      for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += from[i + lane];
      asm volatile("" ::: "memory");
    }
  }
  const Register all = sums[0] + sums[1] + sums[2] + sums[3];
  std::uint64_t sum = 0;
  for (std::size_t word = 0; word < Bytes / sizeof(std::uint64_t); ++word) sum += all[word];
  return sum;
}
MICRO_WIDEST(sum_passes, std::uint64_t, (host::Words words, int passes), (words, passes))

constexpr std::size_t kUnit = 4 * 64;  // of four of the widest registers

std::size_t eviction_bytes(std::int64_t last_cache) {
  const auto bytes = 2 * static_cast<std::size_t>(std::max<std::int64_t>(last_cache, 0));
  return std::max(bytes, kLeastEviction) / kUnit * kUnit;
}

core::Samples measure(host::Context& context, const core::Point& point, const core::Trial& trial) {
  const auto footprint = static_cast<std::size_t>(point.number("footprint"));
  const auto passes = static_cast<int>(point.number("passes"));
  const std::size_t evicting_bytes = eviction_bytes(context.device.last_cache_bytes());
  std::byte* base = context.arena.place(footprint + evicting_bytes, kPlacement, trial);
  const auto words_at = [](std::byte* at, std::size_t bytes) {
    return host::Words{reinterpret_cast<std::uint64_t*>(at), bytes / sizeof(std::uint64_t)};
  };
  const host::Words set = words_at(base, footprint);
  const host::Words other = words_at(base + footprint, evicting_bytes);
  const std::uint64_t seed = host::seed_of(point, trial);
  host::fill_random(set, seed);
  host::fill_random(other, seed + 1);
  const std::uint64_t once = host::sum_of(set);
  const std::uint64_t once_other = host::sum_of(other);
  if (context.faults.before_windows) context.faults.before_windows({base, footprint});

  auto* const sum_of = sum_passes_widest();
  std::uint64_t sum = 0;
  std::uint64_t sum_other = 0;
  core::Column intervals{"round", "ns", {}};
  const core::Clock before = host::measure_core_clock();
  for (int round = 0; round < kRounds; ++round) {
    sum_other += sum_of(other, 1);
    asm volatile("" : "+r"(sum_other)::"memory");
    const std::int64_t start = host::now_ns();
    sum += sum_of(set, passes);
    asm volatile("" : "+r"(sum)::"memory");
    intervals.values.push_back(static_cast<double>(host::now_ns() - start));
  }
  const core::Clock clock = host::joined(before, host::measure_core_clock());

  const double interval_ns = core::median(intervals.values);
  const double ns = interval_ns / (static_cast<double>(footprint) * passes);
  const bool all_read = sum == once * static_cast<std::uint64_t>(passes) * kRounds &&
                        sum_other == once_other * kRounds;
  return {.metrics = {{"bandwidth", "bytes_per_s", 1e9 / ns},
                      {"bandwidth", "bytes_per_cycle_per_sm", 1e9 / ns / clock.hertz()},
                      {"time_per_byte", "ns", ns}},
          .columns = {intervals},
          .time_ns = interval_ns / passes,
          .clock = clock,
          .facts = {{"bytes_read_a_round", "bytes", static_cast<double>(footprint) * passes},
                    {"evicting_bytes", "bytes", static_cast<double>(evicting_bytes)},
                    {"arena_offset", "bytes", static_cast<double>(context.arena.offset_of(base))},
                    {"arena_huge_pages", "bytes",
                     static_cast<double>(context.arena.huge_page_bytes())}},
          .checks = {core::check("sum read", all_read,
                                 "of all words over all passes, and of what pushes them out, "
                                 "against the sums of what was laid there"),
                     host::check_resolution(context.timer, interval_ns)}};
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const std::int64_t last =
      std::max({capacities.get("l1"), capacities.get("l2"), capacities.get("l3")});
  const auto evicting = static_cast<double>(eviction_bytes(last));
  const double footprint = static_cast<double>(point.number("footprint"));
  const double passes = static_cast<double>(point.number("passes"));
  const double moved = kRounds * (evicting + footprint * passes);
  return {.memory_bytes = point.number("footprint") + static_cast<std::int64_t>(evicting),
          .moved_bytes = moved,
          .seconds = 2e-3 + moved / 15e9 + (evicting + footprint) * 0.7e-9};
}

core::ProbeSpec spec() {
  return {.name = MICRO_PROBE_NAME,
          .answers = std::string(core::answers::kReuse),
          .question = "time per byte against working set and passes: what the caches keep",
          .method =
              "passes in order in the widest registers, from a start with nothing in the caches; "
              "one interval over all passes, median of the rounds",
          .axes = {{.name = "footprint",
                    .unit = "bytes",
                    .meaning = "bytes of the working set",
                    .min = 65536,  // less takes too little time for the timer
                    .max = std::int64_t{1} << 35,
                    .multiple_of = kUnit,
                    .automatic = {"256KiB", "16MiB", "128MiB"}},
                   {.name = "passes",
                    .unit = "count",
                    .meaning = "how often it is read",
                    .max = 1024,
                    .automatic = {"1", "2", "8"}}},
          .cost = cost};
}

const host::Registered registered{spec(), measure};

}  // namespace
