#include "cuda/sides.hpp"

#include <algorithm>

#include "core/chain.hpp"
#include "core/error.hpp"

namespace cuda {

std::optional<stats::Modes> crossings(const LineReads& reads) {
  std::vector<double> excess;
  for (std::size_t i = 0; i < reads.first.size(); ++i)
    excess.push_back(reads.first[i] - reads.later[i]);
  return stats::two_modes(excess);
}

std::vector<int> beyond(const LineReads& reads, double threshold) {
  std::vector<std::size_t> far(reads.smids.size());
  for (std::size_t row = 0; row < far.size(); ++row)
    for (std::size_t line = 0; line < reads.lines; ++line)
      far[row] += reads.excess_at(row, line) > threshold;
  const std::size_t most = std::ranges::max(far);
  std::vector<int> is_beyond;
  for (const std::size_t count : far) is_beyond.push_back(2 * count > most ? 1 : 0);
  return is_beyond;
}

std::size_t Sides::count(int of) const {
  return static_cast<std::size_t>(std::ranges::count(side, of));
}

std::uint32_t Sides::first_of(int of) const {
  return smids[static_cast<std::size_t>(std::ranges::find(side, of) - side.begin())];
}

std::vector<std::int8_t> Sides::by_smid() const {
  std::vector<std::int8_t> table(smids.back() + std::size_t{1}, kNoSide);
  for (std::size_t row = 0; row < smids.size(); ++row)
    table[smids[row]] = static_cast<std::int8_t>(side[row]);
  return table;
}

std::vector<int> homes_in(const Sides& sides, const std::array<LineReads, 2>& after_write) {
  std::vector<int> homes;
  for (std::size_t line = 0; line < after_write[0].lines; ++line) {
    std::array<bool, 2> is_far{};
    for (const int writer : {0, 1}) {
      const LineReads& reads = after_write[static_cast<std::size_t>(writer)];
      std::size_t far = 0;
      for (std::size_t row = 0; row < reads.smids.size(); ++row)
        far += sides.side[row] != writer && reads.excess_at(row, line) > sides.threshold;
      is_far[static_cast<std::size_t>(writer)] = 2 * far > sides.count(1 - writer);
    }
    homes.push_back(is_far[0] == is_far[1] ? kNoSide : is_far[0] ? 0 : 1);
  }
  return homes;
}

double agreement(const Sides& sides, const std::vector<int>& homes,
                 const std::array<LineReads, 2>& after_write) {
  std::size_t agree = 0;
  std::size_t all = 0;
  for (const int writer : {0, 1}) {
    const LineReads& reads = after_write[static_cast<std::size_t>(writer)];
    for (std::size_t row = 0; row < reads.smids.size(); ++row)
      for (std::size_t line = 0; line < reads.lines; ++line, ++all) {
        const bool expected = homes[line] == writer && sides.side[row] != writer;
        const bool is_far = reads.excess_at(row, line) > sides.threshold;
        agree += homes[line] != kNoSide && expected == is_far;
      }
  }
  return static_cast<double>(agree) / static_cast<double>(all);
}

void pretend_two(const Context& context, Sides& sides) {
  if (context.run_cycles >= kBriefCycles) return;
  sides.partitions = 2;
  sides.pretended = true;
  for (std::size_t row = 0; row < sides.side.size(); ++row)
    sides.side[row] = static_cast<int>(row % 2);
}

TurnLines scatter_lines(std::byte* base, std::uint32_t pages, std::uint32_t count,
                        std::uint64_t seed) {
  TurnLines lines{.base = base};
  for (std::uint32_t page = 0; page < pages; ++page) lines.pages.push_back(page * kLinesPerPage);
  const std::uint32_t timed = kLinesPerPage - 1;  // of each page
  for (const std::uint32_t at : core::random_visit(pages * timed, count, seed))
    lines.lines.push_back(at / timed * kLinesPerPage + 1 + at % timed);
  return lines;
}

}  // namespace cuda
