// Question: how many bytes a second do cores read, write, copy or add up when the data lies in a
//   footprint of this size? Over the footprint it shows the rates of the caches and the memory.
// Method: every thread, pinned to a core of its own, passes over its private chunk in order, in
//   the widest registers that the CPU has. The footprint is all chunks of all arrays together: one
//   array for read and write, two for copy, three for triad (a = b + 3 c). A window walks 8 MiB a
//   thread: many passes over a small chunk, a slice of one pass over a large one. All threads start
//   it together; it lasts from the first start to the last end. One pass over everything (or one
//   window of passes) warms untimed; median of the other windows' rates.
// Bytes counted: read: read; write: written; copy and triad: read and written. Stores are ordinary
//   ones, and what a cache reads to own a line before a store is not counted.
// Holds when: the cores are not taken away for most windows, and the arena stands on huge pages
//   (the facts say how much of it).
// Flaws: passes in order are what prefetchers are made for: this is no latency turned round. Memory
//   comes from the node of the first thread, so threads on other sockets read afar. Cycles are
//   those of dependent additions on the same threads before and after; wide vectors may lower the
//   clock in between, unseen.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <string>
#include <vector>

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/median.hpp"
#include "host/arrays.hpp"
#include "host/chase.hpp"
#include "host/context.hpp"
#include "host/vector_width.hpp"
#include "host/windows.hpp"

namespace {

constexpr std::size_t kPlacement = 4096;
constexpr double kScale = 3;

// Between registers: memory may have changed. So no pass and no store can be dropped, and no loop
// becomes a call of memcpy, whose stores go round the caches.
inline void keep() { asm volatile("" ::: "memory"); }

template <typename Register, typename Word>
Register* registers(std::span<Word> words) {
  return reinterpret_cast<Register*>(words.data());
}

// Four sums: one would make every load wait for the addition before.
template <std::size_t Bytes>
[[gnu::always_inline]] inline std::uint64_t read_pass(const host::Arrays& arrays, std::uint64_t,
                                                      int passes) {
  using Words = typename host::Register<Bytes>::Words;
  const auto* const __restrict from = registers<const Words>(arrays.from);
  const std::size_t count = arrays.from.size_bytes() / Bytes;
  Words a{}, b{}, c{}, d{};
  for (int pass = 0; pass < passes; ++pass) {
    std::size_t i = 0;
#pragma GCC unroll 2
    for (; i + 4 <= count; i += 4) {
      a += from[i];
      b += from[i + 1];
      c += from[i + 2];
      d += from[i + 3];
      keep();
    }
    for (; i < count; ++i) a += from[i];
    keep();
  }
  a += b + c + d;
  std::uint64_t sum = 0;
  for (std::size_t word = 0; word < Bytes / sizeof(std::uint64_t); ++word) sum += a[word];
  return sum;
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline std::uint64_t write_pass(const host::Arrays& arrays,
                                                       std::uint64_t word, int passes) {
  using Words = typename host::Register<Bytes>::Words;
  auto* const __restrict to = registers<Words>(arrays.to);
  const std::size_t count = arrays.to.size_bytes() / Bytes;
  const Words value = Words{} + word;
  for (int pass = 0; pass < passes; ++pass)
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = value;
      keep();
    }
  return 0;
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline std::uint64_t copy_pass(const host::Arrays& arrays, std::uint64_t,
                                                      int passes) {
  using Words = typename host::Register<Bytes>::Words;
  auto* const __restrict to = registers<Words>(arrays.to);
  const auto* const __restrict from = registers<const Words>(arrays.from);
  const std::size_t count = arrays.to.size_bytes() / Bytes;
  for (int pass = 0; pass < passes; ++pass)
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = from[i];
      keep();
    }
  return 0;
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline std::uint64_t triad_pass(const host::Arrays& arrays, std::uint64_t,
                                                       int passes) {
  using Doubles = typename host::Register<Bytes>::Doubles;
  auto* const __restrict to = registers<Doubles>(arrays.to);
  const auto* const __restrict from = registers<const Doubles>(arrays.from);
  const auto* const __restrict other = registers<const Doubles>(arrays.other);
  const std::size_t count = arrays.to.size_bytes() / Bytes;
  for (int pass = 0; pass < passes; ++pass)
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = from[i] + kScale * other[i];
      keep();
    }
  return 0;
}

#define WIDEST(kernel)                                                       \
  MICRO_WIDEST(kernel, std::uint64_t,                                        \
               (const host::Arrays& arrays, std::uint64_t word, int passes), \
               (arrays, word, passes))
WIDEST(read_pass)
WIDEST(write_pass)
WIDEST(copy_pass)
WIDEST(triad_pass)

using Pass = std::uint64_t(const host::Arrays&, std::uint64_t word, int passes);
struct Operation {
  std::string_view name;
  host::Shape shape;
  Pass* (*widest)();
  const char* counted;
};
constexpr std::array<Operation, 4> kOperations{
    {{"read", {0, 1}, read_pass_widest, "bytes_read_a_pass"},
     {"write", {1, 0}, write_pass_widest, "bytes_written_a_pass"},
     {"copy", {1, 1}, copy_pass_widest, "bytes_read_and_written_a_pass"},
     {"triad", {1, 2, true}, triad_pass_widest, "bytes_read_and_written_a_pass"}}};

const Operation& operation_of(const core::Point& point) {
  return *std::ranges::find(kOperations, point.word("operation"), &Operation::name);
}

// Of every array of one thread: whole lines.
std::size_t array_bytes_of(const core::Point& point) {
  const auto arrays = static_cast<std::int64_t>(operation_of(point).shape.arrays());
  const std::int64_t bytes = point.number("footprint") / (point.number("threads") * arrays);
  return static_cast<std::size_t>(bytes) / host::kLineBytes * host::kLineBytes;
}

// What a word of the written array must be in the end; `last_word` is the last round's.
std::uint64_t expected_word(const host::Shape& shape, std::uint64_t last_word,
                            const host::Arrays& arrays, std::size_t index) {
  if (shape.reads == 0) return last_word;
  if (shape.reads == 1) return arrays.from[index];
  return std::bit_cast<std::uint64_t>(std::bit_cast<double>(arrays.from[index]) +
                                      kScale * std::bit_cast<double>(arrays.other[index]));
}

core::Samples measure(host::Context& context, const core::Point& point, const core::Trial& trial) {
  const Operation& operation = operation_of(point);
  const auto plan = host::plan_stream(array_bytes_of(point), operation.shape.arrays());
  const int threads = static_cast<int>(point.number("threads"));
  const std::size_t chunks = operation.shape.arrays() * static_cast<std::size_t>(threads);
  const std::size_t walked_bytes = plan.array_bytes * chunks;
  const std::uint64_t seed = host::seed_of(point, trial);

  std::byte* base = context.arena.place(walked_bytes, kPlacement, trial);
  const auto all = host::lay_arrays(base, operation.shape, plan.array_bytes, threads, seed);
  std::uint64_t expected_sum = 0;
  for (const host::Arrays& arrays : all) expected_sum += host::sum_of(arrays.from);
  expected_sum *= static_cast<std::uint64_t>(plan.passes) * static_cast<std::uint64_t>(plan.rounds);
  if (context.faults.before_windows) context.faults.before_windows({base, walked_bytes});

  const auto word_of_round = [&](int round) {
    return core::mix_seed(seed, static_cast<std::uint64_t>(round));
  };
  Pass* const pass = operation.widest();
  std::atomic<std::uint64_t> sum = 0;
  const host::Windows timed = host::timed_windows(
      context.device, threads, plan.slices, plan.count(), [&](int thread, int window) {
        const host::Arrays slice = all[static_cast<std::size_t>(thread)].slice(
            plan.slice_begin(window % plan.slices), plan.slice_bytes(window));
        sum += pass(slice, word_of_round(window / plan.slices), plan.passes);
      });
  if (context.faults.before_checks) context.faults.before_checks({base, walked_bytes});

  const auto number = [](auto value) { return static_cast<double>(value); };
  core::Column bytes{"window_bytes", "bytes", {}};
  std::vector<double> rates;
  for (int window = plan.slices; window < plan.count(); ++window) {
    bytes.values.push_back(number(plan.slice_bytes(window) * chunks) * plan.passes);
    rates.push_back(bytes.values.back() / timed.ns[rates.size()] * 1e9);
  }
  const double bytes_per_s = core::median(rates);
  const double per_cycle = bytes_per_s / timed.clock.hertz() / threads;
  const core::Check written = host::check_written(all, [&](const auto& arrays, std::size_t index) {
    return expected_word(operation.shape, word_of_round(plan.rounds - 1), arrays, index);
  });
  const core::Check read{"sum read",
                         sum == expected_sum ? core::Verdict::pass : core::Verdict::fail,
                         "of all words over all passes, against the sum of what was laid there"};
  return {.metrics = {{"bandwidth", "bytes_per_s", bytes_per_s},
                      {"bandwidth", "bytes_per_cycle_per_sm", per_cycle}},
          .columns = {bytes, {"window", "ns", timed.ns}},
          .time_ns = number(walked_bytes) / bytes_per_s * 1e9,
          .clock = timed.clock,
          .facts = {{operation.counted, "bytes", number(walked_bytes)},
                    {"passes_a_window", "count", number(plan.passes)},
                    {"windows_a_pass", "count", number(plan.slices)},
                    {"warm_windows", "count", number(plan.slices)},
                    {"arena_offset", "bytes", number(context.arena.offset_of(base))},
                    {"arena_huge_pages", "bytes", number(context.arena.huge_page_bytes())}},
          .checks = {operation.shape.writes > 0 ? written : read,
                     host::check_resolution(context.timer, core::median(timed.ns))}};
}

std::string refuse(const core::Point& point) {
  if (array_bytes_of(point) > 0) return {};
  return "the footprint gives less than one 64-byte line to every array of every thread";
}

std::string skip(const core::Point& point, const core::Capacities& capacities) {
  if (point.number("threads") <= capacities.get("sm_count")) return {};
  return std::to_string(point.number("threads")) + " threads need as many cores; there are " +
         std::to_string(capacities.get("sm_count"));
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const auto plan = host::plan_stream(array_bytes_of(point), operation_of(point).shape.arrays());
  const double footprint = static_cast<double>(point.number("footprint"));
  const double thread_bytes = footprint / static_cast<double>(point.number("threads"));
  const double moved = thread_bytes * plan.passes * plan.rounds;
  // For an estimate only: bytes a second of one core in memory and nearer; laying and checking.
  const double rate = thread_bytes <= static_cast<double>(capacities.get("l2")) ? 80e9 : 15e9;
  return {.memory_bytes = point.number("footprint"),
          .moved_bytes = footprint * plan.passes * plan.rounds,
          .seconds = 2e-3 + moved / rate + footprint * 0.5e-9};
}

core::ProbeSpec spec() {
  return {.name = MICRO_PROBE_NAME,
          .answers = std::string(core::answers::kLevelBandwidth),
          .question = "rate at which cores read, write, copy or add up, against footprint",
          .method =
              "passes in order over private chunks in the widest registers; first start to last "
              "end of all threads, median of the windows after a warm pass",
          .axes = {{.name = "operation",
                    .unit = "",
                    .meaning = "what is done; copy and triad count what is read and written",
                    .words = {"read", "write", "copy", "triad"},
                    .automatic = {"read", "write", "copy", "triad"}},
                   {.name = "footprint",
                    .unit = "bytes",
                    .meaning = "bytes of all arrays of all threads together",
                    .min = 1024,
                    .max = std::int64_t{1} << 37,
                    .multiple_of = host::kLineBytes,
                    .automatic = {"8KiB", "16KiB", "24KiB", "48KiB", "128KiB", "256KiB", "512KiB",
                                  "768KiB", "2MiB", "4MiB", "8MiB", "16MiB", "64MiB", "128MiB"}},
                   {.name = "threads",
                    .unit = "count",
                    .meaning = "threads, each on a core of its own",
                    .max = 4096,
                    .automatic = {"1"}}},
          .refuse = refuse,
          .skip = skip,
          .cost = cost};
}

const host::Registered registered{spec(), measure};

}  // namespace
