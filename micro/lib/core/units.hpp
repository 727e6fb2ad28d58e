#pragma once
// Unit names as they stand in ids and in JSON, and how a person reads a value. Base units only.

#include <cstdint>
#include <string>
#include <string_view>

namespace core::unit {
inline constexpr std::string_view kCycles = "cycles";
inline constexpr std::string_view kNanoseconds = "ns";
inline constexpr std::string_view kSeconds = "s";
inline constexpr std::string_view kHertz = "hertz";
inline constexpr std::string_view kBytes = "bytes";
inline constexpr std::string_view kCount = "count";
inline constexpr std::string_view kRatio = "ratio";  // of two numbers of one unit
inline constexpr std::string_view kBytesPerSecond = "bytes_per_s";
/// Bytes per SM clock and SM (on a CPU: per core clock and core).
inline constexpr std::string_view kBytesPerCyclePerSm = "bytes_per_cycle_per_sm";
inline constexpr std::string_view kOperationsPerCyclePerSm = "operations_per_cycle_per_sm";
inline constexpr std::string_view kOperationsPerSecond = "operations_per_s";
}  // namespace core::unit

namespace core {

/// 1536 -> "1.5 KiB"; at most three significant digits after scaling, exact below 1 KiB.
std::string format_bytes(std::int64_t bytes);

/// A value with its unit as a person reads it: (4.48e12, "bytes_per_s") -> "4480 GB/s", (32.96,
/// "cycles") -> "33.0 cycles".
std::string format_value(double value, std::string_view unit);

/// Seconds as a person reads them: 0.25 -> "250 ms", 75 -> "1 min 15 s".
std::string format_seconds(double seconds);

}  // namespace core
