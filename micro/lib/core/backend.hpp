#pragma once
// The seam: something that can measure. It knows nothing of configurations, order, files or
// analysis.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/capacities.hpp"
#include "core/probe_spec.hpp"
#include "core/quantity.hpp"
#include "core/samples.hpp"

namespace core {

/// Where the numbers of a level come from: which `answers` feed it.
enum class Family {
  operand,     // registers: operand_latency, operand_rate
  scratchpad,  // shared memory: scratchpad_latency, scratchpad_bandwidth
  cache,       // level_latency, level_bandwidth at footprints that fit
  memory,      // level_latency, level_bandwidth at footprints far above the last cache
};

/// A level that the device is known or said to have, nearest first. The map shows what was found
/// beside it.
struct Level {
  std::string name;   // "L2"
  std::string scope;  // what one instance serves: "SM", "GPU", "core", "machine"
  Family family = Family::cache;
  std::int64_t stated_capacity_bytes = 0;  // 0: not stated
  std::string stated_by = {};              // "cudaDeviceProp::l2CacheSize"
  /// The cache operator with which a chase or a stream reaches this level (`operator` axis); empty:
  /// any.
  std::string reached_by = {};
  /// Physical ceilings, above which a figure is wrong: 0 where none is known, and then
  /// `ceiling_source` says so.
  double ceiling_bytes_per_s = 0;
  double ceiling_bytes_per_cycle_per_sm = 0;
  double ceiling_operations_per_cycle_per_sm = 0;
  std::string ceiling_source = {};

  bool operator==(const Level&) const = default;
};

struct Description {
  std::string backend;    // "cuda", "host", "model"
  std::string device;     // as the device names itself: "NVIDIA H200"
  std::string uuid = {};  // identity; empty where the device has none
  std::string pci = {};
  bool simulated = false;  // true for the model: its numbers are no measurement of anything
  std::string machine_code_sha256 = {};  // of the kernels that run; part of the identity
  Capacities capacities = {};
  std::vector<Level> levels = {};
  Facts properties = {};  // what the device is: compute capability, SMs, bus width, maxima
  Facts explanations =
      {};  // what may change and then explains: driver, toolkit, VBIOS, ECC, MIG, power limit
  Facts state = {};                       // now: clocks, temperatures, power, other processes
  std::vector<std::string> missing = {};  // what could not be read, each with its reason
};

/// What `measure` should do beside measuring.
struct Evidence {
  bool counters = false;  // replay the point once under hardware counters
};

/// Which of the repetitions this is. The placement inside the arena and the order of the chain
/// follow from seed and repetition alone, so that two runs of one seed do the same.
struct Trial {
  std::uint64_t seed = 0;
  int repetition = 0;
  Evidence evidence = {};
};

class Backend {
 public:
  virtual ~Backend() = default;
  /// Every probe that this backend has; needs no device.
  virtual std::vector<ProbeSpec> probes() const = 0;
  /// Why this backend cannot measure here: one line with the remedy, or empty.
  virtual std::string unavailable() = 0;
  /// What would be or was measured, with its state now. Called before and after a run. Throws
  /// UnavailableError.
  virtual Description describe() = 0;
  /// Gives back what describe() took, for a program that only plans; nothing is asked of the backend
  /// afterwards but probes().
  virtual void release() {}
  /// Before the first point: takes the memory that the run needs at most (`memory_bytes`, the
  /// largest Cost::memory_bytes of the plan; one arena for the process, because freeing disturbs)
  /// and brings the device to a steady clock. Says what it saw ("SM clock steady at 1980 MHz after
  /// 0.4 s"). Throws UnavailableError.
  virtual std::string prepare(std::int64_t memory_bytes) = 0;
  /// Throws MeasureError (this point failed), SkipError, DeviceLostError.
  virtual Samples measure(const Point& point, const Trial& trial) = 0;
};

}  // namespace core
