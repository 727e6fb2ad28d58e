#pragma once
// What a CUDA probe is handed, and how it registers.

#include <cuda_runtime.h>

#include "core/point.hpp"
#include "core/registry.hpp"
#include "core/samples.hpp"
#include "cuda/arena.hpp"
#include "cuda/device_info.hpp"

namespace cuda {

struct Context {
  DeviceInfo device;
  Arena arena;
  cudaStream_t stream = nullptr;  // everything a probe launches goes here
  /// About how long a timed part that fills the device runs; two milliseconds of a Hopper GPU. A sanitizer, under which a kernel
  /// takes a thousand times as long, wants less (MICRO_BRIEF in the environment), and its figures mean nothing.
  double run_cycles = 4e6;
};

/// One repetition of one point. Throws core::MeasureError, core::SkipError; CUDA errors become
/// MeasureError or DeviceLostError by the MICRO_CUDA_CHECK macro of cuda/check.hpp.
using MeasureFn = core::Samples(Context&, const core::Point&, const core::Trial&);
using Registry = core::Registry<MeasureFn>;
using Registered = core::Registered<MeasureFn>;

}  // namespace cuda
