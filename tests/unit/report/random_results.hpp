#pragma once
// Any Results that the types allow, by seed: every field filled, every alternative taken sometimes.

#include <cstdint>

#include "report/results.hpp"

namespace report_test {

report::Results random_results(std::uint64_t seed);

}  // namespace report_test
