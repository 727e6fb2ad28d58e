#pragma once
// Time of launches on the device, free of what it costs the host to make them.

#include <cuda_runtime_api.h>

#include <functional>
#include <vector>

namespace cuda {

/// Runs `launch` `count` times in `stream`, each between two events, all queued behind a kernel that
/// holds the stream until the last one is in the queue: what a launch costs the host stays outside the
/// interval. Every kernel in it must have run once before (one that is loaded behind the blocker would
/// wait for it). Under a profiler, and where kernels are cut short
/// for a sanitizer, there is no blocker. Returns nanoseconds, one a launch.
std::vector<double> time_launches(cudaStream_t stream, int count,
                                  const std::function<void()>& launch);

/// As above, but one interval around all `count` launches; returns nanoseconds a launch.
double time_back_to_back(cudaStream_t stream, int count, const std::function<void()>& launch);

}  // namespace cuda
