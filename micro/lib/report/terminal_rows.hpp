#pragma once
// A level of the map as the words and numbers that stand in the table; how they are laid out is
// decided elsewhere.

#include <string>
#include <vector>

#include "core/backend.hpp"
#include "report/results.hpp"

namespace report {

/// One number: "291.3", "290.9-291.8". Empty where nothing was measured.
struct Figure {
  std::string value;
  std::string interval;
  core::Status status = core::Status::ok;
  bool is_there() const { return !value.empty(); }
};

/// What somebody published: "255-300 cycles (MT4G, AIK)", led by "outside " when the value is.
using PublishedText = std::string;

/// One line of a level: its headline, or another operation or method.
struct Row {
  std::string latency_label;    // "ffma", "raw"; empty where a level has but one
  std::string bandwidth_label;  // "read", "write"
  Figure cycles;
  Figure ns;
  Figure per_cycle;  // B/clk/SM; registers: "127.4 lanes"
  Figure gigabytes_per_s;
  std::string of_peak;  // "94.5 %"; empty where no ceiling is known
  std::vector<PublishedText> latency_published;
  std::vector<PublishedText> bandwidth_published;
};

struct LevelRows {
  std::string name;
  std::string scope;
  std::string found;
  std::string found_between;  // the neighbours in the sweep: "56-64 MiB"
  std::string stated;
  std::string status_word;  // "ok", "unstable", ..., "see below"
  std::string status_text;  // in full when the word does not say it all
  std::vector<Row> rows;    // never empty; the headline first
};

/// `core_word`: what has a clock of its own, "SM" or "core".
LevelRows rows_of(const map::MapLevel& level, const std::string& core_word);

/// Four significant digits; whole numbers from 1000 on. "-" for what is no number.
std::string digits(double value);

/// "cycles", "GB/s", "B/clk/SM".
std::string unit_text(const std::string& unit, const std::string& core_word);

/// "291.3 cycles (290.9-291.8)"
std::string figure_text(const core::Estimate& estimate, const std::string& core_word);

/// "4814 GB/s": a limit, which has no uncertainty; five significant digits at most.
std::string plain_text(double value, const std::string& unit, const std::string& core_word);

/// Entry::published, which must be there, as words.
PublishedText published_text(const map::Entry& entry, const std::string& core_word);

/// The operation or method that an entry is about, from its points: "read", "ffma"; empty when its
/// points have none.
std::string label_of(const map::Entry& entry);

}  // namespace report
