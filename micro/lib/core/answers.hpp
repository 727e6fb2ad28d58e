#pragma once
// The questions that analysis and published values key on. A probe's spec names one in `answers`; a
// new probe that answers a listed question needs no new analysis, whatever its name.

#include <string_view>

namespace core::answers {
// latency: metric (latency, cycles) and (latency, ns)
inline constexpr std::string_view kOperandLatency =
    "operand_latency";  // axis operation: ffma imad dfma shuffle
inline constexpr std::string_view kScratchpadLatency =
    "scratchpad_latency";  // axis method: raw index
inline constexpr std::string_view kLevelLatency =
    "level_latency";  // axes operator (cuda), footprint
inline constexpr std::string_view kLocalLatency = "local_latency";  // axis method: round_trip chase
inline constexpr std::string_view kTextureLatency = "texture_latency";  // axis footprint
// single accesses, never mixed with loop averages: metrics (median_access, cycles), (p5_access, ...)
inline constexpr std::string_view kAccessLatency = "access_latency";  // axes operator, footprint
// bandwidth: metric (bandwidth, bytes_per_s) and (bandwidth, bytes_per_cycle_per_sm)
inline constexpr std::string_view kScratchpadBandwidth =
    "scratchpad_bandwidth";  // axes operation, width
inline constexpr std::string_view kLevelBandwidth =
    "level_bandwidth";  // axes operation (read write copy triad), footprint
// the two partitions of an L2, by the SM's side and the line's home: metrics (near_latency, cycles),
// (far_latency, cycles), ...; columns smid, sm_side, sm_near, sm_far and tables SM x line
inline constexpr std::string_view kPlaceLatency = "place_latency";
inline constexpr std::string_view kPlaceBandwidth =
    "place_bandwidth";  // axes place (near far), level
// rate: metric (rate, operations_per_cycle_per_sm); lanes, not instructions
inline constexpr std::string_view kOperandRate = "operand_rate";
// shared memory: metric (cost_of_a_request, cycles) or latency, beside what is predicted
inline constexpr std::string_view kBankWays = "bank_ways";  // axes width, pattern, amount
// blocks on an SM: metric (resident_blocks, count) beside (predicted_blocks, count) and each limit
inline constexpr std::string_view kResidency = "residency";  // axes threads, live, shared
// overhead: one number each
inline constexpr std::string_view kClockCost = "clock_cost";    // (cost, cycles)
inline constexpr std::string_view kLaunchCost = "launch_cost";  // (cost, ns)
inline constexpr std::string_view kLoopCost = "loop_cost";      // (turn, cycles)
inline constexpr std::string_view kTimerStep = "timer_step";    // (step, ns)
// of a CPU's core, one figure a point
inline constexpr std::string_view kStrideCost = "stride_cost";  // (access_cost, cycles)
inline constexpr std::string_view kReuse = "reuse";             // (bandwidth, bytes_per_s)
inline constexpr std::string_view kLoadParallelism = "load_parallelism";  // (parallelism, count)
inline constexpr std::string_view kTranslationLatency =
    "translation_latency";  // (latency, cycles), (compact_latency, ns)
}  // namespace core::answers
