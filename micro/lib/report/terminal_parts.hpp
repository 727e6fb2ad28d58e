#pragma once
// The terminal table in three parts. Each is lines, ended by a newline.

#include <string>
#include <vector>

#include "report/results.hpp"
#include "report/terminal_rows.hpp"
#include "report/text_layout.hpp"

namespace report {

struct Page {
  std::size_t columns = 120;
  Paint paint = {};
  bool verbose = false;
  std::string core_word = "SM";
};

/// Device, identity, driver, clock that ran, date; whether simulated or incomplete.
std::string header_text(const Results& results, const Page& page);

/// One row a level: a table where it fits, else blocks.
std::string levels_text(const std::vector<LevelRows>& levels, const Page& page);

/// What was measured beside the levels: a probe of few points in full, of many by its extremes.
std::string figures_text(const Results& results, const Page& page);

/// Overheads, counts by status, reasons, ceilings, notes, disagreements, unexplained steps.
std::string footer_text(const Results& results, const Page& page);

}  // namespace report
