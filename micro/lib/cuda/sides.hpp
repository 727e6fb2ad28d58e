#pragma once
// Which SMs and which lines belong to which partition of the L2. A line's home is one partition, by
// its address. After a write by an SM of the line's home, an SM of the other partition finds no valid
// copy in its own and its first read crosses over (far); that leaves a copy, and later reads are near.
// After a write from the other partition both hold the line, and no read is far. So sides show only in
// first reads after a write by the home's own side, and both sides have to write to see every line.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/turns.hpp"
#include "stats/modes.hpp"

namespace cuda {

/// Far first reads of `reads`: where two populations are in what a first read takes longer than a
/// later one, or nothing.
std::optional<stats::Modes> crossings(const LineReads& reads);

/// For each row of `reads`, 1 where that SM is not on the writer's side.
std::vector<int> beyond(const LineReads& reads, double threshold);

inline constexpr int kNoSide = -1;

struct Sides {
  int partitions = 1;
  std::vector<std::uint32_t> smids = {};  // ascending
  std::vector<int> side = {};             // of each: 0 or 1; 0 is that of the lowest %smid
  double threshold = 0;                   // cycles that tell a crossing first read
  double confidence = 0;                  // that there are two populations
  bool pretended = false;                 // see pretend_two()

  std::size_t count(int of) const;
  std::uint32_t first_of(int of) const;  // lowest %smid of a side that has one
  /// Side by %smid, kNoSide where there is no such SM.
  std::vector<std::int8_t> by_smid() const;
};

/// Lines that a first read finds on either side: after_write[w] was written by side w. kNoSide for a
/// line that was far after both writes, or after none.
std::vector<int> homes_in(const Sides& sides, const std::array<LineReads, 2>& after_write);

/// Share of (SM, line) pairs of both that are far just where the SM is on the other side than writer
/// and home are.
double agreement(const Sides& sides, const std::vector<int>& homes,
                 const std::array<LineReads, 2>& after_write);

/// Lines over `pages` pages, none of them a page's first, in a random order.
TurnLines scatter_lines(std::byte* base, std::uint32_t pages, std::uint32_t count,
                        std::uint64_t seed);

struct Division {
  Sides sides;
  std::array<LineReads, 2> after_write;  // the second is empty with one partition
};
/// Writes `lines` from the first SM and has all read them; if that shows two sides, again from the first
/// SM of the other. `kernel`: see TurnKernel; without one, the library's own.
Division divide(const Context& context, const TurnLines& lines, TurnKernel* kernel = nullptr);

/// Under a sanitizer no access takes its time and sides show by chance: there, and only there (a context
/// cut short), any two halves serve, so that every kernel runs.
void pretend_two(const Context& context, Sides& sides);

/// Home of each of `lines` (numbers from `base` on, which begins with a page; none a page's first), many
/// at a time, by all SMs: kNoSide where the two directions do not say the same; 0 with one partition. Leaves every line, and
/// the first line of each page, written with stamp 0. Throws core::MeasureError when what was read is
/// not what was written.
std::vector<int> homes_of(const Context& context, const Sides& sides, std::byte* base,
                          const std::vector<std::uint32_t>& lines);

/// Line numbers by the side on which the lines are at home.
using HomeLines = std::array<std::vector<std::uint32_t>, 2>;
/// wanted[s] lines at home on side s, the first ones of `lines` lines from `base` on; else as homes_of().
/// Throws core::MeasureError when so many are not found.
HomeLines lines_at_home(const Context& context, const Sides& sides, std::byte* base,
                        std::uint32_t lines, const std::array<std::size_t, 2>& wanted);

}  // namespace cuda
