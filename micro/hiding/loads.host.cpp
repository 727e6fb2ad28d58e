// Question: how many loads does one core keep in flight? With this many chains that do not wait for
//   each other, how much less time does a load take than alone?
// Method: one random cycle over 64-byte lines, on one pinned core. `chains` walkers start evenly spread
//   along it and hop in turn, so that that many loads are under way at once; a lone walker over the same
//   cycle is timed in between. Windows of two lengths, the difference over the hops between them,
//   median. `parallelism` is the lone walker's time of a load over that of the chains, pair by pair.
// Holds when: a footprint lies well inside the level meant (or, for memory, at four times the last
//   cache and more, of which a million lines at least are visited).
// Flaws: the walkers follow one another along the cycle, so that a line is met again after a lap over
//   the number of chains. Sixteen chains are more than x86-64 has registers: some pass through the
//   stack, which lengthens each of their hops by a store and a load. Prefetchers and address
//   translation as in latency/global.

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/median.hpp"
#include "host/chase.hpp"
#include "host/context.hpp"
#include "host/core_clock.hpp"
#include "host/walk.hpp"

namespace {

constexpr std::size_t kPlacement = 4096;
constexpr std::uint64_t kPairs = 15;  // of each, lone and together
// Loads of a short window, all chains together: 8 us at an eighth of a nanosecond, and in memory alone
// a millisecond.
constexpr std::uint64_t kLoads = 65'536;
constexpr std::uint64_t kFarLoads = 8'192;
constexpr std::uint64_t kFarBytes = std::uint64_t{1}
                                    << 20;  // no load takes under a nanosecond there
constexpr std::uint64_t kLeastSpreadNodes = std::uint64_t{1} << 20;

// From sizes alone. A lap over a footprint far above the last cache would take long: so many lines,
// spread over it, that no cache holds them.
std::uint64_t nodes_of(std::uint64_t footprint, std::int64_t last_cache) {
  const std::uint64_t lines = footprint / host::kLineBytes;
  if (last_cache <= 0) return lines;
  const auto cache_lines = static_cast<std::uint64_t>(last_cache) / host::kLineBytes;
  return std::min(lines, std::max(kLeastSpreadNodes, 4 * cache_lines));
}

std::uint64_t loads_of(std::uint64_t footprint) {
  return footprint > kFarBytes ? kFarLoads : kLoads;
}

struct Result {
  host::HopTimes alone;
  host::HopTimes together;
  std::uint64_t warm = 0;
  bool as_predicted = true;
  core::Clock clock = {};
};

template <std::size_t kChains>
Result run(const host::Chase& chase, std::uint64_t loads) {
  const std::uint64_t nodes = chase.visit.size();
  const auto start_of = [&](std::size_t chain) { return chain * nodes / kChains; };
  host::Walkers<1> lone{chase.after(nodes / (2 * kChains))};
  host::Walkers<kChains> chains;
  for (std::size_t chain = 0; chain < kChains; ++chain)
    chains[chain] = chase.after(start_of(chain));

  Result result{.alone = {.hops = loads}, .together = {.hops = loads / kChains}};
  result.warm = std::min<std::uint64_t>(nodes, kLeastSpreadNodes) + 1;
  const core::Clock before = host::measure_core_clock();
  host::walk(lone, result.warm);
  for (std::uint64_t pair = 0; pair < kPairs; ++pair) {
    host::time_pair(lone, result.alone);
    host::time_pair(chains, result.together);
  }
  result.clock = host::joined(before, host::measure_core_clock());
  result.as_predicted =
      lone[0] == chase.after(nodes / (2 * kChains) + result.warm + result.alone.hops_done());
  for (std::size_t chain = 0; chain < kChains; ++chain)
    result.as_predicted =
        result.as_predicted &&
        chains[chain] == chase.after(start_of(chain) + result.together.hops_done());
  return result;
}

template <std::size_t... kLess>
Result run(std::uint64_t chains, const host::Chase& chase, std::uint64_t loads,
           std::index_sequence<kLess...>) {
  Result result;
  ((kLess + 1 == chains ? void(result = run<kLess + 1>(chase, loads)) : void()), ...);
  return result;
}

constexpr std::int64_t kMostChains = 16;

core::Samples measure(host::Context& context, const core::Point& point, const core::Trial& trial) {
  const auto footprint = static_cast<std::size_t>(point.number("footprint"));
  const auto chains = static_cast<std::uint64_t>(point.number("chains"));
  const std::uint64_t nodes = nodes_of(footprint, context.device.last_cache_bytes());
  std::byte* base = context.arena.place(footprint, kPlacement, trial);
  const host::Chase chase = host::lay_chase(base, footprint, static_cast<std::uint32_t>(nodes),
                                            host::seed_of(point, trial));
  if (context.faults.before_windows) context.faults.before_windows({base, footprint});

  const std::uint64_t loads = loads_of(footprint);
  Result result = run(chains, chase, loads, std::make_index_sequence<kMostChains>());
  const double alone_ns = core::median(result.alone.differences_ns) / static_cast<double>(loads);
  const double together_ns = core::median(result.together.differences_ns);
  const double ns = together_ns / static_cast<double>(result.together.hops * chains);
  // Where the loads do not divide by the chains, their window has a few hops less.
  const double hops_ratio =
      static_cast<double>(result.together.hops * chains) / static_cast<double>(result.alone.hops);
  core::Column parallelism{"parallelism", "count", {}};
  for (std::uint64_t pair = 0; pair < kPairs; ++pair)
    parallelism.values.push_back(result.alone.differences_ns[pair] /
                                 result.together.differences_ns[pair] * hops_ratio);
  result.alone.shorter.name = "lone_short_window";
  result.alone.longer.name = "lone_long_window";
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  return {.metrics = {{"parallelism", "count", core::median(parallelism.values)},
                      {"time_per_load", "ns", ns},
                      {"time_per_load", "cycles", ns * result.clock.hertz() * 1e-9},
                      {"lone_load", "ns", alone_ns}},
          .columns = {parallelism, result.together.shorter, result.together.longer,
                      result.alone.shorter, result.alone.longer},
          .time_ns = ns,
          .clock = result.clock,
          .facts = {{"nodes", "count", number(nodes)},
                    {"span", "bytes", number(footprint)},
                    {"warm_hops", "count", number(result.warm)},
                    {"short_window_hops_a_chain", "count", number(result.together.hops)},
                    {"lone_short_window_hops", "count", number(result.alone.hops)},
                    {"arena_offset", "bytes", number(context.arena.offset_of(base))},
                    {"arena_huge_pages", "bytes", number(context.arena.huge_page_bytes())}},
          .checks = {core::check("final index", result.as_predicted,
                                 fmt::format("the ends of {} chains and of the lone one against "
                                             "the prediction",
                                             chains)),
                     host::check_resolution(context.timer, together_ns)}};
}

std::string refuse(const core::Point& point) {
  if (point.number("footprint") / static_cast<std::int64_t>(host::kLineBytes) >=
      4 * point.number("chains"))
    return {};
  return fmt::format("{} chains need at least four 64-byte lines each, more than {} bytes",
                     point.number("chains"), point.number("footprint"));
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const std::int64_t last =
      std::max({capacities.get("l1"), capacities.get("l2"), capacities.get("l3")});
  const auto nodes =
      static_cast<double>(nodes_of(static_cast<std::uint64_t>(point.number("footprint")), last));
  // For an estimate only: a lone hop in memory, in the last cache, nearer; and building a node.
  const double hop_ns = point.number("footprint") > last                   ? 110
                        : point.number("footprint") > capacities.get("l2") ? 20
                                                                           : 4;
  const double hops = static_cast<double>(
      3 * kPairs * loads_of(static_cast<std::uint64_t>(point.number("footprint"))));
  return {.memory_bytes = point.number("footprint"),
          .moved_bytes = 2 * hops * host::kLineBytes,
          .seconds = 2e-3 + 2 * hops * hop_ns * 1e-9 + nodes * 100e-9};
}

core::ProbeSpec spec() {
  return {.name = MICRO_PROBE_NAME,
          .answers = std::string(core::answers::kLoadParallelism),
          .question = "time of a load against independent chains on one core: loads in flight",
          .method =
              "pointer chases along one random cycle over 64-byte lines, a lone one beside them; "
              "difference of two window lengths over the hops between them, median",
          .axes = {{.name = "footprint",
                    .unit = "bytes",
                    .meaning = "bytes that the cycle spans",
                    .min = 1024,
                    .max = std::int64_t{1} << 37,
                    .multiple_of = host::kLineBytes,
                    .automatic = {"16KiB", "512KiB", "8MiB", "128MiB"}},
                   {.name = "chains",
                    .unit = "count",
                    .meaning = "chains that do not wait for each other",
                    .max = kMostChains,
                    .automatic = {"1", "2", "4", "8", "12", "16"}}},
          .refuse = refuse,
          .cost = cost};
}

const host::Registered registered{spec(), measure};

}  // namespace
