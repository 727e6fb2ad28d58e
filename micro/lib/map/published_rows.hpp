#pragma once
// The rows of published values as data.

#include <span>
#include <string_view>

namespace map {

struct Range {
  double low = 0;
  double high = 0;  // 0: no range of its own
};

struct PublishedRow {
  std::string_view key;
  std::string_view answers;
  std::string_view level;
  std::string_view operation;
  std::string_view unit;
  Range h100;
  Range h200;  // only where it differs from H100's
  std::string_view source;
  std::string_view why_below;
  std::string_view why_above;
};

inline constexpr std::string_view kCapacity = "capacity";

/// Sources by key: MT4G: caps-tum/mt4g sample results, H100 SXM. AIK: markdewing/AI_kernels latency
/// data, H100 SXM and GH200. HPMLL: HPMLL/NVIDIA-Hopper-Benchmark logs, H800 PCIe. L24, L25: Luo et
/// al., arXiv 2402.13499 and 2501.12084. GB: te42kyfo/gpu-benches, H100 PCIe and a 96 GB part.
/// TICK: "Full-kernel GPU profiling with hardware timers". JAR: Jarmusch et al., arXiv 2507.10789. CAL:
/// calibration fit report, H100 PCIe. STUDY: CUDA performance study, H100 SXM. AZ:
/// Azure/AI-benchmarking-guide, BabelStream. CC23: Chips and Cheese, H100 PCIe.
std::span<const PublishedRow> published_rows();

}  // namespace map
