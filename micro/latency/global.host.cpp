// Question: how long does one load take, waiting for nothing but the load before it, when the data
//   lies in a footprint of this size? Over the footprint it shows the CPU's caches and its memory.
// Method: a pointer chase over 64-byte lines in one random cycle, on one pinned core. Windows of
//   two lengths, differences divided by the hops between them, so that the timer and the ends of
//   the loop cancel; the median of the differences. Up to four times the last cache (and a million
//   lines) every line is a node, one untimed lap warms, and windows tile whole laps. Above that so
//   many lines, spread over the footprint, are nodes, and each timed hop meets a line that the walk
//   has not met before; untimed hops there push out what building the chain left in the caches.
//   A pair of windows from which the kernel took the core away is done again, after another lap
//   that warms: whoever had the core in between has filled the caches. Where tries run out the
//   disturbed pairs count, and the repetition's health says how many. From 1 MiB to half the last
//   cache every pair follows such a lap: other cores, and other machines, use that cache too.
//   Untimed hops beyond 1 MiB are touches in the order of the chain that do not wait for each
//   other: the same lines in the same order, in a tenth of the time.
// Holds when: the core is not taken away for most windows, and the arena stands on huge pages (the
//   facts say how much of it): else address translation is in the number from the reach of the TLB
//   upwards. Huge pages leave their own translation misses in large footprints.
// Flaws: prefetchers that fetch a line's neighbour (Intel's spatial, AMD's region prefetcher) halve
//   some misses even at random. A virtual machine's huge page may be small pages of its host, which
//   brings translation steps back and blurs physically indexed caches. Of a cache shared with busy
//   neighbours a slow walk finds what they leave, far less than its size. Cycles come from
//   dependent additions before and after, not from a counter.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "host/chase.hpp"
#include "host/context.hpp"
#include "host/core_clock.hpp"

namespace {

// A pair of windows is a short and a long one; their difference is a third of its hops. Past 1 MiB no
// hop takes under 3 ns, so that shorter windows do, and more of them escape an interruption.
constexpr std::uint64_t kPairHops = 3 * 16'384;    // difference of 18 us at an L1's 1.1 ns
constexpr std::uint64_t kFarPairHops = 3 * 2'048;  // difference of 6 us at 3 ns, 0.3 ms at 150 ns
constexpr std::uint64_t kLeastPairs = 30;
constexpr std::uint64_t kTriesAPair = 2;  // on average, over all pairs
constexpr std::uint64_t kFarBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kLeastSpreadNodes = std::uint64_t{1} << 20;
constexpr std::size_t kPlacement = 4096;

// Each hop needs the value of the one before; the empty asm makes the value opaque, so that the
// compiler can neither drop, merge nor reorder hops.
[[gnu::noinline]] const void* walk(const void* at, std::uint64_t hops) {
#pragma GCC unroll 1
  for (; hops > 0; --hops) {
    at = *static_cast<const void* const*>(at);
    asm volatile("" : "+r"(at));
  }
  return at;
}

double timed_walk_ns(const void*& at, std::uint64_t hops) {
  const std::int64_t start = host::now_ns();
  at = walk(at, hops);
  asm volatile("" : "+r"(at)::"memory");
  return static_cast<double>(host::now_ns() - start);
}

struct Walk {
  std::uint64_t nodes = 0;
  std::uint64_t warm_hops = 0;
  std::uint64_t timed_hops = 0;
  std::uint64_t pairs = 0;
  // That warms again. None where the caches hold little of the footprint, or must not hold any.
  std::uint64_t lap_hops = 0;
  bool lap_before_every_pair = false;  // else only before one that is done again
};

// From sizes and the seed alone, so that two runs of one seed plan the same.
Walk walk_over(std::uint64_t footprint, std::uint64_t last_cache, std::uint64_t seed) {
  const std::uint64_t lines = footprint / host::kLineBytes;
  const std::uint64_t cache_lines = last_cache / host::kLineBytes;
  const std::uint64_t evicting_hops = 2 * cache_lines;
  const std::uint64_t pair_hops = footprint > kFarBytes ? kFarPairHops : kPairHops;
  const std::uint64_t least_hops = kLeastPairs * pair_hops;
  const std::uint64_t spread =
      std::max({kLeastSpreadNodes, 4 * cache_lines, evicting_hops + kTriesAPair * least_hops});
  Walk walk;
  if (cache_lines == 0 || lines <= spread) {
    // Beyond the lap by a little, or the predicted end of whole laps would be the start.
    const std::uint64_t beyond = 1 + core::Random(seed).below(std::min<std::uint64_t>(lines, 1000));
    walk = {lines, lines + beyond, (least_hops + lines - 1) / lines * lines};
    if (lines <= cache_lines / 2 || cache_lines == 0) walk.lap_hops = lines;
    walk.lap_before_every_pair = walk.lap_hops > 0 && footprint > kFarBytes;
  } else {
    walk = {.nodes = spread, .warm_hops = evicting_hops, .timed_hops = least_hops};
  }
  walk.pairs = walk.timed_hops / pair_hops;
  return walk;
}

// Where the walk is, and how far it came.
class Walker {
 public:
  Walker(const host::Chase& chase, std::size_t footprint)
      : chase_(chase), touches_(footprint > kFarBytes), at_(chase.after(0)) {}

  double timed_ns(std::uint64_t hops) {
    hops_ += hops;
    return timed_walk_ns(at_, hops);
  }

  // The list of lines is read for it, which near caches would feel: there it is a walk.
  void warm(std::uint64_t hops) {
    if (!touches_) {
      at_ = walk(at_, hops);
      hops_ += hops;
      return;
    }
    strayed_ = strayed_ || at_ != chase_.after(hops_);
    for (const std::uint64_t end = hops_ + hops; hops_ < end; ++hops_) {
      const void* next = *reinterpret_cast<const void* const*>(chase_.after(hops_));
      asm volatile("" ::"r"(next));
    }
    at_ = chase_.after(hops_);
  }

  bool is_where_predicted() const { return !strayed_ && at_ == chase_.after(hops_); }

 private:
  const host::Chase& chase_;
  bool touches_;
  bool strayed_ = false;
  const void* at_;
  std::uint64_t hops_ = 0;
};

core::Samples measure(host::Context& context, const core::Point& point, const core::Trial& trial) {
  const auto footprint = static_cast<std::size_t>(point.number("footprint"));
  const std::uint64_t seed = host::seed_of(point, trial);
  const Walk plan =
      walk_over(footprint, static_cast<std::uint64_t>(context.device.last_cache_bytes()), seed);
  std::byte* base = context.arena.place(footprint, kPlacement, trial);
  const host::Chase chase =
      host::lay_chase(base, footprint, static_cast<std::uint32_t>(plan.nodes), seed);
  const bool one_cycle =
      core::visits_each_once(chase.visit, static_cast<std::uint32_t>(footprint / host::kLineBytes));
  if (context.faults.before_windows) context.faults.before_windows({base, footprint});

  core::Column short_hops{"short_window_hops", "count", {}};
  core::Column short_ns{"short_window", "ns", {}};
  core::Column long_hops{"long_window_hops", "count", {}};
  core::Column long_ns{"long_window", "ns", {}};
  core::Column latency{"latency", "ns", {}};
  for (core::Column* column : {&short_hops, &short_ns, &long_hops, &long_ns, &latency})
    column->values.resize(plan.pairs);

  const core::Clock before = host::measure_core_clock();
  Walker walker(chase, footprint);
  walker.warm(plan.warm_hops);
  std::vector<double> differences_ns(plan.pairs);
  std::uint64_t repeats_left = (kTriesAPair - 1) * plan.pairs;
  std::uint64_t repeated = 0, disturbed = 0;
  for (std::uint64_t pair = 0; pair < plan.pairs; ++pair) {
    const std::uint64_t hops =
        (pair + 1) * plan.timed_hops / plan.pairs - pair * plan.timed_hops / plan.pairs;
    const std::uint64_t fewer = hops / 3;
    const std::uint64_t more = hops - fewer;
    for (bool again = false;; again = true) {
      const std::int64_t preemptions = context.preemptions();
      if (again || plan.lap_before_every_pair) walker.warm(plan.lap_hops);
      short_ns.values[pair] = walker.timed_ns(fewer);
      long_ns.values[pair] = walker.timed_ns(more);
      if (context.preemptions() == preemptions) break;
      if (repeats_left == 0) {
        ++disturbed;
        break;
      }
      --repeats_left;
      ++repeated;
    }
    short_hops.values[pair] = static_cast<double>(fewer);
    long_hops.values[pair] = static_cast<double>(more);
    differences_ns[pair] = long_ns.values[pair] - short_ns.values[pair];
    latency.values[pair] = differences_ns[pair] / static_cast<double>(more - fewer);
  }
  const core::Clock clock = host::joined(before, host::measure_core_clock());

  const double ns = core::median(latency.values);
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  return {.metrics = {{"latency", "ns", ns}, {"latency", "cycles", ns * clock.hertz() * 1e-9}},
          .columns = {short_hops, short_ns, long_hops, long_ns, latency},
          .time_ns = ns,
          .clock = clock,
          .facts = {{"nodes", "count", number(plan.nodes)},
                    {"span", "bytes", number(footprint)},
                    {"node", "bytes", number(host::kLineBytes)},
                    {"warm_hops", "count", number(plan.warm_hops)},
                    {"timed_hops", "count", number(plan.timed_hops)},
                    {"arena_offset", "bytes", number(context.arena.offset_of(base))},
                    {"arena_huge_pages", "bytes", number(context.arena.huge_page_bytes())}},
          .checks = {{"one cycle", one_cycle ? core::Verdict::pass : core::Verdict::fail,
                      fmt::format("{} lines, none met twice in a lap", plan.nodes)},
                     {"final index",
                      walker.is_where_predicted() ? core::Verdict::pass : core::Verdict::fail,
                      fmt::format("{} hops and more, the end against the prediction",
                                  plan.warm_hops + plan.timed_hops)},
                     host::check_resolution(context.timer, core::median(differences_ns))},
          .health = {{"repeated_pairs", "count", number(repeated)},
                     {"disturbed_pairs", "count", number(disturbed)}}};
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const auto bytes = static_cast<std::uint64_t>(point.number("footprint"));
  const std::int64_t last =
      std::max({capacities.get("l1"), capacities.get("l2"), capacities.get("l3")});
  const Walk plan = walk_over(bytes, static_cast<std::uint64_t>(last), 0);
  // For an estimate only: a hop in memory, in the last cache, nearer; and building a node.
  const double hop_ns = point.number("footprint") > last                   ? 110
                        : point.number("footprint") > capacities.get("l2") ? 25
                                                                           : 4;
  const double warm_ns = point.number("footprint") > static_cast<std::int64_t>(kFarBytes) ? 10 : 4;
  const auto warm_hops = static_cast<double>(
      plan.warm_hops + (plan.lap_before_every_pair ? plan.pairs * plan.lap_hops : 0));
  const auto timed_hops = static_cast<double>(plan.timed_hops);
  return {.memory_bytes = point.number("footprint"),
          .moved_bytes = (warm_hops + timed_hops) * host::kLineBytes,
          .seconds = 3e-3 + (warm_hops * warm_ns + timed_hops * hop_ns +
                             static_cast<double>(plan.nodes) * 60) *
                                1e-9};
}

core::ProbeSpec spec() {
  return {
      .name = MICRO_PROBE_NAME,
      .answers = std::string(core::answers::kLevelLatency),
      .question = "time of one dependent load against footprint, on one core",
      .method =
          "pointer chase over 64-byte lines in one random cycle; difference of two window "
          "lengths over the hops between them, median; windows that the kernel interrupted are "
          "done "
          "again",
      .axes = {{.name = "footprint",
                .unit = "bytes",
                .meaning = "bytes that the chain spans",
                .min = 1024,
                .max = std::int64_t{1} << 37,
                .multiple_of = host::kLineBytes,
                .automatic = {"4KiB",  "8KiB",   "16KiB",  "24KiB",  "32KiB",  "48KiB", "64KiB",
                              "96KiB", "128KiB", "256KiB", "512KiB", "768KiB", "1MiB",  "1536KiB",
                              "2MiB",  "3MiB",   "4MiB",   "6MiB",   "8MiB",   "16MiB", "24MiB",
                              "32MiB", "48MiB",  "64MiB",  "128MiB", "256MiB"}}},
      .cost = cost};
}

const host::Registered registered{spec(), measure};

}  // namespace
