// Question: how long does a read from memory take, by whether the line's home, the L2 partition that its
//           memory hangs on, is the SM's own or the other?
// Method:   32 lines for each SM, random over 16 MiB, none shared. First the home of each is found by
//           reads after writes (cuda/sides.hpp). Then twice the L2 is read through, and the SMs take turns:
//           each reads its lines once, between two clock reads, and twice more, which shows that the first came
//           from elsewhere. Latencies by side, and beside them the two populations that they show by themselves.
// Holds when every SM read what was written, the flush read every word, and later reads are clearly
//           shorter.
// Flaws:    translation is warm: each SM reads the first line of all eight 2 MiB pages before (cold
//           regions read 100 to 200 cycles more elsewhere). Two clock reads are in every figure. Idle memory, one
//           access at a time; refresh makes a tail (some per cent above +150 cycles), hence medians. Few
//           pages, so few rows of each bank are involved.
//
// Seen on an H200: 537 cycles near and 717 far, half of the pairs each, in either direction; the 180 between them are
// what an L2 read across takes more. The two modes found blindly are at 531 and 721 and agree with the homes
// for 94 % of the reads: the rest is the tail. Counters: two sectors, which is what memory moves at
// least, come from memory for each line. Some per cent of the lines have no sure home and are left out.
//
// Before the first clock read a test of the address, and before the second one of what the load brought;
// nothing but the load between them.
// SASS-LABEL: Function : {{.*}}read_fresh_lines
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS: STG.E.128
// SASS: LDS {{R[0-9]+}}, [
// SASS-NOT: SR_CLOCKLO
// SASS: ISETP.NE.U32.AND.EX
// SASS-NEXT: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-NOT: {{LDS|STS|LDG|STG|BRA|SR_CLOCKLO}}
// SASS: LDG.E.STRONG.GPU [[VALUE:R[0-9]+]],
// SASS-NOT: {{LDS|STS|LDG|STG|BRA|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[VALUE]]
// SASS-NOT: {{LDS|STS|LDG|STG|BRA}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/device_chain.hpp"
#include "cuda/sides.hpp"
#include "cuda/turns.cuh"
#include "stats/summary.hpp"

namespace {

using cuda::LineReads;
using cuda::Sides;

constexpr std::uint32_t kPages = 8;
constexpr std::size_t kRegionBytes = kPages * (std::size_t{2} << 20);

__global__ void read_fresh_lines(cuda::Turns turns, std::uint32_t* turn,
                                 cuda::TurnRecord* records) {
  cuda::take_turns(turns, turn, records);
}

const std::string cycles(core::unit::kCycles);
const std::string count(core::unit::kCount);
const std::string ratio("ratio");

core::Table table_of(const std::vector<double>& values, std::size_t lines, std::string name,
                     std::string unit) {
  core::Table table{.name = std::move(name), .unit = std::move(unit)};
  for (std::size_t line = 0; line < lines; ++line)
    table.columns.push_back("read_" + std::to_string(line));
  for (std::size_t at = 0; at < values.size(); at += lines)
    table.rows.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(at),
                            values.begin() + static_cast<std::ptrdiff_t>(at + lines));
  return table;
}

// First reads of one SM or of all, by where the line is at home.
struct Reads {
  std::vector<double> near;
  std::vector<double> far;

  void add(double latency, int side, int home) {
    if (home == cuda::kNoSide) return;
    (home == side ? near : far).push_back(latency);
  }
};

bool is_from_memory(const LineReads& reads) {
  return stats::quantile(reads.first, 0.01) > stats::quantile(reads.later, 0.99);
}

// The populations that the latencies show without knowing sides.
void add_modes(core::Samples& samples, const LineReads& reads, const Sides& sides,
               const std::vector<int>& homes) {
  const auto modes = stats::two_modes(reads.first);
  samples.facts.push_back({"modes", count, modes ? 2.0 : 1.0});
  if (!modes) return;
  double agree = 0;
  double all = 0;
  for (std::size_t i = 0; i < homes.size(); ++i) {
    if (homes[i] == cuda::kNoSide) continue;
    ++all;
    agree += (reads.first[i] > modes->threshold) == (homes[i] != sides.side[i / reads.lines]);
  }
  samples.facts.insert(samples.facts.end(), {{"lower_mode", cycles, modes->low.median},
                                             {"upper_mode", cycles, modes->high.median},
                                             {"upper_mode_share", ratio, modes->high_share},
                                             {"modes_confidence", ratio, modes->confidence},
                                             {"modes_agree_with_homes", ratio, agree / all}});
}

core::Samples samples_of(const LineReads& reads, const Sides& sides,
                         const std::vector<int>& homes) {
  const bool divided = sides.partitions == 2;
  Reads all;
  core::Column smids{"smid", count, {}};
  core::Column side{"sm_side", count, {}};
  core::Column near{"sm_near", cycles, {}};
  core::Column far{"sm_far", cycles, {}};
  for (std::size_t row = 0; row < reads.smids.size(); ++row) {
    Reads own;
    for (std::size_t line = 0; line < reads.lines; ++line)
      for (Reads* into : {&own, &all})
        into->add(reads.first_at(row, line), sides.side[row], homes[row * reads.lines + line]);
    smids.values.push_back(reads.smids[row]);
    side.values.push_back(sides.side[row]);
    near.values.push_back(own.near.empty() ? 0 : core::median(own.near));
    far.values.push_back(own.far.empty() ? 0 : core::median(own.far));
  }
  const std::string ns(core::unit::kNanoseconds);
  const double to_ns = 1e9 / reads.clock.hertz();
  const double near_median = core::median(all.near);
  const double later = core::median(reads.later);
  core::Samples samples{
      .metrics = {{"near_latency", cycles, near_median}, {"near_latency", ns, near_median * to_ns}},
      .columns = {smids, side, near},
      .tables = {table_of(reads.first, reads.lines, "first_read", cycles)},
      .time_ns = near_median * to_ns,
      .clock = reads.clock,
      .facts = {{"partitions", count, static_cast<double>(sides.partitions)},
                {"near_spread", cycles, stats::median_absolute_deviation(all.near)},
                {"later_latency", cycles, later},
                {"clock_overhead", cycles, reads.clock_overhead}},
      .checks = {reads.sums,
                 core::check("stop clock waits", near_median >= 1.5 * reads.clock_overhead,
                             "an access takes clearly longer than the clock reads around it")}};
  if (!divided) return samples;
  const double far_median = core::median(all.far);
  samples.metrics.insert(samples.metrics.begin() + 1, {"far_latency", cycles, far_median});
  samples.metrics.push_back({"far_latency", ns, far_median * to_ns});
  const auto known = static_cast<double>(all.near.size() + all.far.size());
  samples.metrics.push_back({"far_share", ratio, static_cast<double>(all.far.size()) / known});
  samples.facts.push_back({"far_spread", cycles, stats::median_absolute_deviation(all.far)});
  samples.facts.push_back({"lines_without_home", count, static_cast<double>(homes.size()) - known});
  samples.columns.push_back(far);
  samples.tables.push_back(table_of({homes.begin(), homes.end()}, reads.lines, "line_home", count));
  add_modes(samples, reads, sides, homes);
  return samples;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const bool brief = context.run_cycles < cuda::kBriefCycles;
  const std::size_t flush_bytes = 2 * context.device.l2_bytes;
  std::byte* place = context.arena.place(kRegionBytes + flush_bytes, 2 << 20, trial);
  const std::uint64_t seed =
      core::mix_seed(core::mix_seed(trial.seed, point.id()), trial.repetition);
  const auto sms = static_cast<std::uint32_t>(context.device.sm_count);
  cuda::TurnLines own = cuda::scatter_lines(place, kPages, sms * (brief ? 4 : 32), seed);
  own.each_its_own = true;
  Sides sides =
      cuda::divide(context, cuda::scatter_lines(place, kPages, brief ? 8 : 32, ~seed)).sides;
  cuda::pretend_two(context, sides);
  const std::vector<int> by_turn = cuda::homes_of(context, sides, place, own.lines);
  const core::Check flushed =
      cuda::flush_through(place + kRegionBytes, flush_bytes, context.stream);
  const LineReads reads = cuda::read_in_turns(context, read_fresh_lines, own, cuda::kNobody, 0);
  std::vector<int> homes;  // in the order of the rows
  for (const std::uint32_t turn : reads.turns) {
    const auto first = by_turn.begin() + static_cast<std::ptrdiff_t>(turn * reads.lines);
    homes.insert(homes.end(), first, first + static_cast<std::ptrdiff_t>(reads.lines));
  }
  core::Samples samples = samples_of(reads, sides, homes);
  samples.checks.push_back(flushed);
  samples.checks.push_back(core::check("from memory", brief || is_from_memory(reads),
                                       "nearly all first reads take longer than any later one"));
  const std::string bytes(core::unit::kBytes);
  samples.facts.insert(
      samples.facts.end(),
      {{"span", bytes, static_cast<double>(kRegionBytes)},
       {"arena_offset", bytes, static_cast<double>(context.arena.offset_of(place))}});
  return samples;
}

core::Cost cost(const core::Point&, const core::Capacities& capacities) {
  const std::int64_t flushed = 2 * capacities.get("l2");
  return {.memory_bytes = static_cast<std::int64_t>(kRegionBytes) + flushed,
          .moved_bytes = 2.0 * static_cast<double>(flushed),
          .seconds = 0.04};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kPlaceLatency),
     .question = "how long a read from memory takes, on the SM's own side and on the other",
     .method = "first reads of lines that were flushed from the L2, by every SM in turn, single "
               "accesses with two clock reads in the figure",
     .cost = cost},
    measure};

}  // namespace
