#include <algorithm>

#include "report/terminal.hpp"
#include "report/terminal_parts.hpp"

namespace report {

std::string terminal_table(const Results& results, const TerminalOptions& options) {
  const Page page{.columns = static_cast<std::size_t>(std::clamp(options.columns, 80, 120)),
                  .paint = {options.colour},
                  .verbose = options.verbose,
                  .core_word = results.context.before.backend == "host" ? "core" : "SM"};
  std::vector<LevelRows> levels;
  for (const map::MapLevel& level : results.map.levels)
    levels.push_back(rows_of(level, page.core_word));
  std::string out = header_text(results, page);
  out += levels.empty() ? "No level was measured.\n\n" : levels_text(levels, page);
  out += figures_text(results, page);
  return out + footer_text(results, page);
}

}  // namespace report
