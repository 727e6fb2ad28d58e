#pragma once
// A result as a full map of a large GPU would give it: every level, every status, realistic sizes.
// Made by formula, and marked as simulated: for looking at the report, the schema and the figures.

#include "report/results.hpp"

namespace report_test {

report::Results example_results();

}  // namespace report_test
