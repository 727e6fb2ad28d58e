#pragma once
// One run, written and read back: everything that any later analysis needs, without a device.

#include <filesystem>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "core/json.hpp"
#include "core/measurement.hpp"
#include "map/memory_map.hpp"

namespace report {

inline constexpr int kSchemaVersion = 1;

struct Context {
  std::string run_id;       // random, 16 hex digits
  std::string started_utc;  // ISO 8601
  std::string finished_utc;
  core::Description before;  // identity, capacities, levels, explanations, state
  core::Facts state_after = {};
  std::string warm_up = {};  // what Backend::warm_up said
  core::Facts host = {};     // hostname, kernel, CPU, cores
  core::Facts program = {};  // git revision, build type, compilers, library versions
  std::string config_name;
  std::string config_text;  // normalised
  std::string config_sha256;
  std::string
      meant_for;  // the device the configuration names; differs from before.device -> a note
  std::uint64_t seed = 0;
  int repetitions = 0;
  std::vector<std::string> notes =
      {};  // shortened by the time budget, made for another device, resumed, ...
};

struct Results {
  bool complete = true;  // false: interrupted, lost device, time limit
  std::string incomplete_reason = {};
  Context context;
  std::vector<core::Measurement> measurements;  // in plan order
  map::MemoryMap map;
};

/// `schema_version`, `complete`, `context`, `benchmarks` (Google Benchmark's shape, one row a
/// repetition), `measurements`, `map`.
core::Json to_json(const Results& results);
/// Throws core::Error(64) naming file, key and what is wrong; a newer schema_version is refused by
/// number.
Results results_from(const core::Json& json);

/// Compact, one measurement a line, UTF-8, ends in a newline; .gz in the name compresses. Temp file
/// in the same folder, fsync, rename; a target that is no regular file ("-", /dev/full, a pipe) is
/// opened and written. Throws core::Error(3) with errno's text.
void write(const Results& results, const std::filesystem::path& file);
Results read(const std::filesystem::path& file);

/// results of a run of that name: "nvidia-h200_3f2a1b0c_20261130T201500Z.json" (the UUID's first
/// eight digits, or the host's name).
std::string default_file_name(const Results& results);

}  // namespace report
