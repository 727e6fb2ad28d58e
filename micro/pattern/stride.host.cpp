// Question: what does one access cost when accesses lie this far apart? The cost rises with the stride
//   until every access needs a line of its own, and is level from there on: the bend is the line size.
// Method: dependent loads, each reading the place of the next, on one pinned core. The footprint is cut
//   into groups of eight places at the stride; groups are visited in random order and the places of a
//   group in an order of its own, one group after the other, so that of a line's places the first
//   fetches it and the others find it, and no prefetcher sees a direction. Every place of the footprint
//   is visited once a lap; windows of two lengths, whole laps together, the difference over the hops
//   between them, median.
// Holds when: the lines of the footprint fit in no cache nearer than the one meant. Beyond the line
//   size there are fewer lines than the footprint has: from four lines on they may fit in a nearer
//   cache, and the cost falls.
// Flaws: a prefetcher that fetches a line's neighbour makes pairs of lines look like one long line. A lap
//   over many places is slow, and of a cache shared with busy neighbours it finds what they leave:
//   small strides may then cost more than large ones. Address translation is in the number as it is in
//   latency/global.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/median.hpp"
#include "host/context.hpp"
#include "host/core_clock.hpp"
#include "host/walk.hpp"

namespace {

constexpr std::size_t kPlacement = 4096;
constexpr std::uint64_t kPlaces = 8;         // of a group
constexpr std::uint64_t kPairs = 31;         // at least
constexpr std::uint64_t kLeastHops = 8'192;  // of a short window: 9 us at an L1's 1.1 ns

struct Plan {
  std::uint64_t places = 0;
  std::uint64_t pairs = 0;
  std::uint64_t hops = 0;  // of a short window
};

// Whole laps: as many windows as it takes. A lap over many places is cut into more of them.
Plan plan_of(const core::Point& point) {
  const auto footprint = static_cast<std::uint64_t>(point.number("footprint"));
  const auto group_bytes = kPlaces * static_cast<std::uint64_t>(point.number("stride"));
  Plan plan{.places = footprint / group_bytes * kPlaces, .hops = kLeastHops};
  const std::uint64_t laps_in_pairs = (plan.places + 3 * plan.hops - 1) / (3 * plan.hops);
  plan.pairs = std::max(kPairs, laps_in_pairs);
  return plan;
}

// Group by group in random order, the places of each in a random order of its own.
std::vector<std::byte*> lay(std::byte* base, std::uint64_t places, std::uint64_t stride,
                            std::uint64_t seed) {
  core::Random random(seed);
  const auto groups = static_cast<std::uint32_t>(places / kPlaces);
  std::vector<std::byte*> nodes;
  nodes.reserve(places);
  for (const std::uint64_t group : core::random_visit(groups, groups, seed)) {
    std::array<std::uint64_t, kPlaces> order{};
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    for (std::uint64_t last = kPlaces; last > 1; --last)
      std::swap(order[last - 1], order[random.below(last)]);
    for (const std::uint64_t place : order)
      nodes.push_back(base + (group * kPlaces + place) * stride);
  }
  host::link(nodes);
  return nodes;
}

core::Samples measure(host::Context& context, const core::Point& point, const core::Trial& trial) {
  const Plan plan = plan_of(point);
  const auto stride = static_cast<std::uint64_t>(point.number("stride"));
  const std::size_t span = plan.places * stride;
  std::byte* base = context.arena.place(span, kPlacement, trial);
  const auto nodes = lay(base, plan.places, stride, host::seed_of(point, trial));
  if (context.faults.before_windows) context.faults.before_windows({base, span});

  host::HopTimes times{.hops = plan.hops};
  host::Walkers<1> walker{nodes.front()};
  const std::uint64_t warm = plan.places + 1;
  const core::Clock before = host::measure_core_clock();
  host::walk(walker, warm);
  for (std::uint64_t pair = 0; pair < plan.pairs; ++pair) host::time_pair(walker, times);
  const core::Clock clock = host::joined(before, host::measure_core_clock());

  const std::uint64_t hops = warm + times.hops_done();
  const double difference_ns = core::median(times.differences_ns);
  const double ns = difference_ns / static_cast<double>(plan.hops);
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  return {
      .metrics = {{"access_cost", "cycles", ns * clock.hertz() * 1e-9}, {"access_cost", "ns", ns}},
      .columns = {times.shorter, times.longer},
      .time_ns = ns,
      .clock = clock,
      .facts = {{"places", "count", number(plan.places)},
                {"span", "bytes", number(span)},
                {"warm_hops", "count", number(warm)},
                {"timed_hops", "count", number(times.hops_done())},
                {"short_window_hops", "count", number(plan.hops)},
                {"arena_offset", "bytes", number(context.arena.offset_of(base))},
                {"arena_huge_pages", "bytes", number(context.arena.huge_page_bytes())}},
      .checks = {core::check("final index", walker[0] == nodes[hops % nodes.size()],
                             fmt::format("{} hops, the end against the prediction", hops)),
                 host::check_resolution(context.timer, difference_ns)}};
}

std::string refuse(const core::Point& point) {
  if (plan_of(point).places > kPlaces) return {};
  return fmt::format("a footprint of {} bytes has less than two groups of {} places {} bytes apart",
                     point.number("footprint"), kPlaces, point.number("stride"));
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const Plan plan = plan_of(point);
  const double hops = static_cast<double>(plan.places + 3 * plan.hops * plan.pairs);
  // For an estimate only: a hop in memory, in the last cache, nearer; and laying a place.
  const double hop_ns = point.number("footprint") > capacities.get("l3")   ? 110
                        : point.number("footprint") > capacities.get("l2") ? 20
                                                                           : 4;
  return {.memory_bytes = point.number("footprint"),
          .moved_bytes = hops * sizeof(void*),
          .seconds = 2e-3 + (hops * hop_ns + static_cast<double>(plan.places) * 20) * 1e-9};
}

core::ProbeSpec spec() {
  return {.name = MICRO_PROBE_NAME,
          .answers = std::string(core::answers::kStrideCost),
          .question = "cost of an access against the distance between accesses: the line size",
          .method =
              "dependent loads, group by group of eight places at the stride, in random order; "
              "difference of two window lengths over the hops between them, median",
          .axes = {{.name = "footprint",
                    .unit = "bytes",
                    .meaning = "bytes over which the places are spread",
                    .min = 1024,
                    .max = std::int64_t{1} << 33,
                    .multiple_of = 1024,
                    .automatic = {"256KiB", "512KiB"}},
                   {.name = "stride",
                    .unit = "bytes",
                    .meaning = "bytes from one place to the next",
                    .min = sizeof(void*),
                    .max = 4096,
                    .multiple_of = sizeof(void*),
                    .automatic = {"8", "16", "32", "64", "128", "256"}}},
          .refuse = refuse,
          .cost = cost};
}

const host::Registered registered{spec(), measure};

}  // namespace
