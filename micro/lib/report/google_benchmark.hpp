#pragma once
// The part of a result file that the tools around Google Benchmark read.

#include "report/results.hpp"

namespace report {

/// The context keys of Google Benchmark: date, host_name, executable, num_cpus, mhz_per_cpu,
/// cpu_scaling_enabled, caches, load_avg, library_build_type. Taken from Context::host (hostname,
/// cpu_count, cpu_mhz, cpu_scaling_enabled, load_average) and Context::program (executable,
/// build_type); what is not there becomes what Google Benchmark writes when it does not know.
core::Json google_benchmark_context(const Context& context);

/// One row a repetition with the four keys that its tools need: name (the bare id), real_time,
/// cpu_time (the same number: what waits for a device has no CPU time worth comparing), time_unit.
/// Points that are failed, skipped or invalid have no rows, because a row cannot say so.
core::Json google_benchmark_rows(const std::vector<core::Measurement>& measurements);

}  // namespace report
