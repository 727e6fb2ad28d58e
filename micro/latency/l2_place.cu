// Question: how far is a line of the L2 from an SM: which SMs and which lines belong to which partition,
//           and how long does a read take within one and across?
// Method:   one block an SM, taking turns, so that one reads at a time. Before each turn the same SM
//           writes 32 random lines of 16 MiB; then the turn's SM reads each once between two clock reads, and twice
//           more. What a first read takes longer than the later ones is one population (one partition, and the
//           point says so) or two; then an SM of the other side writes, and all read again.
// Holds when every SM read what was written just before its turn, and two sides of SMs and lines explain
//           which first reads are far.
// Flaws:    two clock reads are in every access (`clock_overhead`): another quantity than a chase's
//           average. One access at a time on an idle device; translation is warm. A copy's place in
//           its own partition is another slice's than the home's, so `later` figures differ by a few cycles.
//
// What decides: the address gives a line its home partition, half of the lines each, by a hash as fine as
// lines. Seen on an H200 (66 and 66 SMs): after a write by side 0, side 0 reads all lines near, those at home in side 1
// too (281 cycles); side 1 reads the lines of its own home near and those of side 0 far (459), once, whichever of
// its SMs comes first; all as if mirrored after a write by side 1, whatever was read before. So a write leaves the line
// valid in its home and in the writer's partition, and invalid elsewhere; a far read leaves a copy. The writer's side
// alone, or the address alone, predicts neither. Later reads take 277 cycles at home and 284 from a copy. Which lines
// were drawn moves the crossing by some cycles: 147 to 192 from line to line, 2 or 3 from SM to SM.
//
// Before the first clock read a test of the address, and before the second one of what the load brought;
// nothing but the load between them.
// SASS-LABEL: Function : {{.*}}read_lines_in_turns
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

#include <algorithm>

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/sides.hpp"
#include "cuda/turns.cuh"
#include "stats/summary.hpp"

namespace {

using cuda::Division;
using cuda::LineReads;

constexpr std::uint32_t kPages = 8;
constexpr double kAgreement = 0.98;  // an interrupted access here and there

__global__ void read_lines_in_turns(cuda::Turns turns, std::uint32_t* turn,
                                    cuda::TurnRecord* records) {
  cuda::take_turns(turns, turn, records);
}

const std::string cycles(core::unit::kCycles);
const std::string count(core::unit::kCount);
const std::string ratio("ratio");

// One row (an SM) or all rows of what was read, by what the reads were.
struct Reads {
  std::vector<double> near;
  std::vector<double> far;
  std::vector<double> excess_of_far;
  std::vector<double> later_home;
  std::vector<double> later_copy;

  void add(const LineReads& reads, std::size_t row, const cuda::Sides& sides,
           const std::vector<int>& homes) {
    for (std::size_t line = 0; line < reads.lines; ++line) {
      const double excess = reads.excess_at(row, line);
      const bool is_far = sides.partitions == 2 && excess > sides.threshold;
      (is_far ? far : near).push_back(reads.first_at(row, line));
      if (is_far) excess_of_far.push_back(excess);
      const bool is_copy = sides.partitions == 2 && homes[line] == 1 - sides.side[row];
      (is_copy ? later_copy : later_home).push_back(reads.first_at(row, line) - excess);
    }
  }
};

core::Table table_of(const LineReads& reads, const std::vector<std::uint32_t>& lines,
                     const std::string& name) {
  core::Table table{.name = name, .unit = cycles};
  for (const std::uint32_t line : lines) table.columns.push_back("line_" + std::to_string(line));
  for (std::size_t row = 0; row < reads.smids.size(); ++row)
    table.rows.emplace_back(
        reads.first.begin() + static_cast<std::ptrdiff_t>(row * reads.lines),
        reads.first.begin() + static_cast<std::ptrdiff_t>((row + 1) * reads.lines));
  return table;
}

void add_far(core::Samples& samples, const Reads& all, const Division& division,
             const std::vector<int>& homes, double to_ns) {
  const double far = core::median(all.far);
  samples.metrics.insert(samples.metrics.begin() + 1, {"far_latency", cycles, far});
  samples.metrics.push_back({"far_latency", std::string(core::unit::kNanoseconds), far * to_ns});
  samples.metrics.push_back({"crossing", cycles, core::median(all.excess_of_far)});
  samples.metrics.push_back({"later_copy_latency", cycles, core::median(all.later_copy)});
  // A pair is far after one of the two writes, or after none.
  const double pairs = static_cast<double>(homes.size() * division.sides.smids.size());
  samples.metrics.push_back({"far_share", ratio, static_cast<double>(all.far.size()) / pairs});
  const double agreement = cuda::agreement(division.sides, homes, division.after_write);
  const auto at_home = [&](int side) {
    return static_cast<double>(std::ranges::count(homes, side));
  };
  samples.facts.insert(samples.facts.end(),
                       {{"far_spread", cycles, stats::median_absolute_deviation(all.far)},
                        {"sms_of_side_0", count, static_cast<double>(division.sides.count(0))},
                        {"sms_of_side_1", count, static_cast<double>(division.sides.count(1))},
                        {"lines_of_side_0", count, at_home(0)},
                        {"lines_of_side_1", count, at_home(1)},
                        {"agreement", ratio, agreement},
                        {"confidence", ratio, division.sides.confidence}});
  samples.checks.push_back(core::check(
      "two sides", agreement >= kAgreement,
      "which first reads are far follows from the SM's side, the line's home and the writer"));
}

core::Samples samples_of(const Division& division, const std::vector<std::uint32_t>& lines) {
  const cuda::Sides& sides = division.sides;
  const bool divided = sides.partitions == 2;
  const LineReads& reads = division.after_write[0];
  const std::vector<int> homes =
      divided ? cuda::homes_in(sides, division.after_write) : std::vector<int>(reads.lines, 0);
  Reads all;
  core::Column smids{"smid", count, {}};
  core::Column side{"sm_side", count, {}};
  core::Column near{"sm_near", cycles, {}};
  core::Column far{"sm_far", cycles, {}};
  core::Column later{"sm_later_home", cycles, {}};
  for (std::size_t row = 0; row < sides.smids.size(); ++row) {
    Reads own;
    for (Reads* into : {&own, &all})
      for (int writer = 0; writer < sides.partitions; ++writer)
        into->add(division.after_write[static_cast<std::size_t>(writer)], row, sides, homes);
    smids.values.push_back(sides.smids[row]);
    side.values.push_back(sides.side[row]);
    near.values.push_back(core::median(own.near));
    if (divided) far.values.push_back(own.far.empty() ? 0 : core::median(own.far));
    later.values.push_back(core::median(own.later_home));
  }
  core::Column home{"line_home", count, {homes.begin(), homes.end()}};

  const double to_ns = 1e9 / reads.clock.hertz();
  const double median = core::median(all.near);
  core::Samples samples{
      .metrics = {{"near_latency", cycles, median},
                  {"near_latency", std::string(core::unit::kNanoseconds), median * to_ns},
                  {"later_home_latency", cycles, core::median(all.later_home)}},
      .columns = {smids, side, near, later, home},
      .tables = {table_of(reads, lines, "first_read_after_side_0_wrote")},
      .time_ns = median * to_ns,
      .clock = reads.clock,
      .facts = {{"partitions", count, static_cast<double>(sides.partitions)},
                {"near_spread", cycles, stats::median_absolute_deviation(all.near)},
                {"clock_overhead", cycles, reads.clock_overhead},
                {"lines", count, static_cast<double>(reads.lines)}},
      .checks = {reads.sums,
                 core::check("stop clock waits", median >= 1.5 * reads.clock_overhead,
                             "an access takes clearly longer than the clock reads around it")}};
  if (!divided) return samples;
  samples.columns.push_back(far);
  samples.tables.push_back(
      table_of(division.after_write[1], lines, "first_read_after_side_1_wrote"));
  samples.checks.push_back(division.after_write[1].sums);
  add_far(samples, all, division, homes, to_ns);
  return samples;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const bool brief = context.run_cycles < cuda::kBriefCycles;
  std::byte* place = context.arena.place(kPages * (std::size_t{2} << 20), 2 << 20, trial);
  const std::uint64_t seed =
      core::mix_seed(core::mix_seed(trial.seed, point.id()), trial.repetition);
  const cuda::TurnLines scattered = cuda::scatter_lines(place, kPages, brief ? 8 : 32, seed);
  Division division = cuda::divide(context, scattered, read_lines_in_turns);
  if (brief) division.sides.partitions = 1;  // two would be chance
  core::Samples samples = samples_of(division, scattered.lines);
  const std::string bytes(core::unit::kBytes);
  samples.facts.push_back({"span", bytes, kPages * double{2 << 20}});
  samples.facts.push_back(
      {"arena_offset", bytes, static_cast<double>(context.arena.offset_of(place))});
  return samples;
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kPlaceLatency),
     .question = "which SMs and lines belong to which L2 partition, and what a read within and "
                 "across takes",
     .method = "first reads by every SM in turn after a write from either side, single accesses "
               "with two clock reads in the figure",
     .cost =
         [](const core::Point&, const core::Capacities&) {
           return core::Cost{.memory_bytes = kPages * (std::int64_t{2} << 20), .seconds = 0.03};
         }},
    measure};

}  // namespace
