// Question: what does address translation add to a load when more pages are in use than the TLBs hold?
// Method: a pointer chase over one 64-byte line in each 4 KiB of memory, in one random cycle, on one
//   pinned core: once on pages of 4 KiB, once on huge pages, where the same lines need a 512th of the
//   translations. After it, as a control, a chase over as many lines side by side, on huge
//   pages: what that shows too is the caches' and no translation. Windows of two lengths, the difference
//   over the hops between them, median.
// Holds when: the kernel gives huge pages where they are asked for (else those points are skipped). The
//   lines are chosen so that a cache indexed by address takes all of them evenly where pages are
//   contiguous, as huge ones are.
// Flaws: the frames of small pages are drawn by the kernel, so that some sets of a physically indexed
//   cache get more lines than they hold: a little of the difference to huge pages is that. In a virtual
//   machine a page is translated twice, and its host's pages may be smaller than the guest's huge ones.

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "host/chase.hpp"
#include "host/context.hpp"
#include "host/core_clock.hpp"
#include "host/walk.hpp"

namespace {

constexpr std::size_t kStep = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLinesOfStep = kStep / host::kLineBytes;
constexpr std::uint64_t kPairs = 31;    // of each chase
constexpr std::uint64_t kHops = 8'192;  // of a short window: 9 us at an L1's 1.1 ns

/// Memory on pages of the least size, every one touched.
class SmallPages {
 public:
  explicit SmallPages(std::size_t bytes) : bytes_(bytes) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
      throw core::MeasureError(fmt::format("mmap of {} bytes: {}", bytes, std::strerror(errno)));
    base_ = static_cast<std::byte*>(at);
    madvise(base_, bytes, MADV_NOHUGEPAGE);  // refused where there are no huge pages: as well
    for (std::size_t page = 0; page < bytes; page += kStep) base_[page] = std::byte{1};
  }
  SmallPages(const SmallPages&) = delete;
  SmallPages& operator=(const SmallPages&) = delete;
  ~SmallPages() { munmap(base_, bytes_); }
  std::byte* base() const { return base_; }

 private:
  std::byte* base_ = nullptr;
  std::size_t bytes_;
};

// One line a step. Steps alone would meet few sets of a cache: the line moves on within the step, and by
// one more every 64 steps, so that 2048 contiguous steps meet every 64 x 2048 bytes of a cache evenly.
std::byte* spread_line(std::byte* base, std::size_t step) {
  const std::size_t line = (step + step / kLinesOfStep) % kLinesOfStep;
  return base + step * kStep + line * host::kLineBytes;
}
std::byte* compact_line(std::byte* base, std::size_t line) {
  return base + line * host::kLineBytes;
}

/// A random cycle through place(base, 0) .. place(base, count - 1), laid.
std::vector<std::byte*> lay(std::byte* base, std::byte* place(std::byte*, std::size_t),
                            std::uint32_t count, std::uint64_t seed) {
  std::vector<std::byte*> nodes;
  nodes.reserve(count);
  for (const std::uint32_t each : core::random_visit(count, count, seed))
    nodes.push_back(place(base, each));
  host::link(nodes);
  return nodes;
}

std::size_t arena_bytes(const core::Point& point) {
  const auto lines = static_cast<std::size_t>(point.number("lines"));
  const bool huge = point.word("page") == "huge";
  return (huge ? lines * kStep : 0) + lines * host::kLineBytes;
}

core::Samples measure(host::Context& context, const core::Point& point, const core::Trial& trial) {
  const auto lines = static_cast<std::uint32_t>(point.number("lines"));
  const bool huge = point.word("page") == "huge";
  if (huge && context.arena.huge_page_bytes() < context.arena.size_bytes())
    throw core::SkipError("the kernel gives no huge pages: " + context.arena.page_policy());
  const std::uint64_t seed = host::seed_of(point, trial);
  std::byte* const arena = context.arena.place(arena_bytes(point), kHugePage, trial);
  const SmallPages small(huge ? kStep : lines * kStep);
  std::byte* const spread_base = huge ? arena : small.base();
  std::byte* const compact_base = huge ? arena + lines * kStep : arena;
  const auto spread_nodes = lay(spread_base, spread_line, lines, seed);
  const auto compact_nodes = lay(compact_base, compact_line, lines, seed + 1);
  if (context.faults.before_windows) context.faults.before_windows({spread_base, lines * kStep});

  host::HopTimes spread{.hops = kHops};
  host::HopTimes compact{.hops = kHops};
  host::Walkers<1> far{spread_nodes.front()};
  host::Walkers<1> near{compact_nodes.front()};
  const std::uint64_t warm = lines + 1;
  const core::Clock before = host::measure_core_clock();
  // One after the other: in turn, each would find what the other left in the caches.
  host::walk(far, warm);
  for (std::uint64_t pair = 0; pair < kPairs; ++pair) host::time_pair(far, spread);
  host::walk(near, warm);
  for (std::uint64_t pair = 0; pair < kPairs; ++pair) host::time_pair(near, compact);
  const core::Clock clock = host::joined(before, host::measure_core_clock());

  const std::uint64_t hops = warm + spread.hops_done();
  const bool as_predicted =
      far[0] == spread_nodes[hops % lines] && near[0] == compact_nodes[hops % lines];
  const double difference_ns = core::median(spread.differences_ns);
  const double ns = difference_ns / static_cast<double>(kHops);
  const double compact_ns = core::median(compact.differences_ns) / static_cast<double>(kHops);
  compact.shorter.name = "compact_short_window";
  compact.longer.name = "compact_long_window";
  return {.metrics = {{"latency", "cycles", ns * clock.hertz() * 1e-9},
                      {"latency", "ns", ns},
                      {"compact_latency", "ns", compact_ns}},
          .columns = {spread.shorter, spread.longer, compact.shorter, compact.longer},
          .time_ns = ns,
          .clock = clock,
          .facts = {{"span", "bytes", static_cast<double>(lines * kStep)},
                    {"pages", "count",
                     static_cast<double>((lines * kStep + (huge ? kHugePage : kStep) - 1) /
                                         (huge ? kHugePage : kStep))},
                    {"warm_hops", "count", static_cast<double>(warm)},
                    {"short_window_hops", "count", static_cast<double>(kHops)}},
          .checks = {core::check("final index", as_predicted,
                                 fmt::format("{} hops, both ends against the prediction", hops)),
                     host::check_resolution(context.timer, difference_ns)}};
}

core::Cost cost(const core::Point& point, const core::Capacities&) {
  const double lines = static_cast<double>(point.number("lines"));
  // For an estimate only: a hop beyond all TLBs and in the second cache; laying a line on a new page.
  const double hops = lines + 3.0 * kHops * kPairs;
  return {.memory_bytes = static_cast<std::int64_t>(arena_bytes(point)),
          .moved_bytes = 2 * hops * host::kLineBytes,
          .seconds = 2e-3 + hops * (20 + 4) * 1e-9 + lines * 1e-6};
}

core::ProbeSpec spec() {
  return {.name = MICRO_PROBE_NAME,
          .answers = std::string(core::answers::kTranslationLatency),
          .question = "time of a load against pages in use: the reach of the TLBs, and a miss",
          .method =
              "pointer chase over one line in each 4 KiB, on small or huge pages, beside one over "
              "as many lines side by side; difference of two window lengths over the hops between "
              "them, median",
          .axes = {{.name = "page",
                    .unit = "",
                    .meaning = "pages of 4 KiB or of 2 MiB",
                    .words = {"small", "huge"},
                    .automatic = {"small", "huge"}},
                   {.name = "lines",
                    .unit = "count",
                    .meaning = "lines, one in each 4 KiB",
                    .min = 8,
                    .max = std::int64_t{1} << 22,
                    .automatic = {"16", "64", "256", "1024", "2048", "4096", "16384"}}},
          .skip =
              [](const core::Point&, const core::Capacities&) {
                const long page = sysconf(_SC_PAGESIZE);
                return page == static_cast<long>(kStep)
                           ? std::string()
                           : fmt::format("this system's pages are of {} bytes", page);
              },
          .cost = cost};
}

const host::Registered registered{spec(), measure};

}  // namespace
