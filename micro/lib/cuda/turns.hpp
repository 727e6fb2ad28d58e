#pragma once
// SMs that read lines one after the other, each alone on the device, every single access timed; before
// each turn one SM may write the lines, so that every SM's first read comes after the same write.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/samples.hpp"
#include "cuda/block_span.hpp"
#include "cuda/context.hpp"

namespace cuda {

inline constexpr std::uint32_t kMaxTurnLines = 128;
inline constexpr std::uint32_t kTurnPasses = 3;  // a first read of every line, then two later ones
inline constexpr std::uint32_t kNobody = ~0U;
/// Context::run_cycles below which kernels are cut short, and few lines do.
inline constexpr double kBriefCycles = 1e5;
/// Accesses that take longer count as so many cycles.
inline constexpr std::uint32_t kLongestAccess = 0xffff;
/// Lines of the driver's pages of 2 MiB. The first of each page is read before the timed ones, so that
/// an address is translated already: a place for lines begins with a page, and no timed line is a first.
inline constexpr std::uint32_t kLinesPerPage = (2U << 20) / 128;

/// What a line holds, in every word, after it was written with `stamp`. Never all ones, which
/// clock64_after() does not time.
#if defined(__CUDACC__)
__host__ __device__
#endif
    constexpr std::uint32_t
    word_of_line(std::uint32_t line, std::uint32_t stamp) {
  return (line * 0x9e3779b1U + stamp * 0x85ebca6bU) & 0x7fffffffU;
}

/// What the kernel is told.
struct Turns {
  std::uint64_t base;          // address of line 0
  const std::uint32_t* lines;  // line numbers; block b reads `count` of them from b x stride on
  std::uint32_t stride;        // 0: all read the same
  std::uint32_t count;         // up to kMaxTurnLines
  std::uint32_t writer;        // %smid of who writes them before each turn (stride 0), or kNobody
  std::uint32_t stamp;  // of the first turn's write, each turn one more; of kNobody: their last
};

/// What a block, alone on its SM, leaves. Its span is the whole kernel's.
struct TurnRecord {
  BlockSpan span;
  std::uint32_t sum;             // of all words that it read
  std::uint32_t clock_overhead;  // cycles between two clock reads with no load between
  std::uint32_t cycles[kTurnPasses][kMaxTurnLines];
};

/// take_turns() of turns.cuh; in a probe's own file, so that its machine code is checked there.
using TurnKernel = void(Turns turns, std::uint32_t* turn, TurnRecord* records);

/// SM x line. Rows in the order of %smid.
struct LineReads {
  std::uint32_t writer = kNobody;
  std::vector<std::uint32_t> smids = {};
  std::vector<std::uint32_t> turns = {};  // which turn it was, from 0
  std::size_t lines = 0;
  std::vector<double> first = {};  // cycles of the first read, row-major
  std::vector<double> later = {};  // the least of the later reads
  double clock_overhead = 0;       // cycles, in every figure
  core::Clock clock = {};
  core::Check sums = {};

  double first_at(std::size_t row, std::size_t line) const { return first[row * lines + line]; }
  /// What the first read took longer than a later one. Where an SM and a line lie cancels out of it.
  double excess_at(std::size_t row, std::size_t line) const {
    return first_at(row, line) - later[row * lines + line];
  }
};

/// Bytes of dynamic shared memory with which a block has its SM to itself.
std::size_t bytes_to_be_alone(const DeviceInfo& device);

/// %smid of every SM of the device, ascending. Throws core::MeasureError when blocks that need an SM
/// each do not get one.
std::vector<std::uint32_t> sms_of(const Context& context);

/// Which lines are read, by whom.
struct TurnLines {
  std::byte* base = nullptr;              // begins with a page
  std::vector<std::uint32_t> pages = {};  // numbers of first lines, read untimed before the others
  std::vector<std::uint32_t> lines =
      {};  // the timed ones; when each has its own, one SM's after the other
  bool each_its_own = false;
};

/// `writer` is one of sms_of(), or kNobody: then the lines were written before, with `stamp`. Waits.
LineReads read_in_turns(const Context& context, TurnKernel* kernel, const TurnLines& lines,
                        std::uint32_t writer, std::uint32_t stamp);

}  // namespace cuda
