#pragma once
// The time of day as results record it.

#include <chrono>
#include <string>

namespace run {

/// ISO 8601 with milliseconds: "2031-02-03T04:05:06.789Z".
std::string iso8601_utc(std::chrono::system_clock::time_point time);

}  // namespace run
