#pragma once
// What the kernel says about this machine's CPU and memory, from /sys and /proc.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace host {

/// A data or unified cache as one CPU sees it.
struct Cache {
  int level = 0;
  std::int64_t size_bytes = 0;
  int line_bytes = 0;                 // 0: not said
  int ways = 0;                       // 0: not said
  std::vector<int> shared_cpus = {};  // empty: not said
  std::string stated_by = {};         // "sysfs cpu0/cache/index2/size"

  bool operator==(const Cache&) const = default;
};

/// Bytes; 0: not known. `free_bytes` is what can be had without swapping, within the limit of the
/// control group.
struct Memory {
  std::int64_t total_bytes = 0;
  std::int64_t free_bytes = 0;
};

struct DeviceInfo {
  std::string model;              // "AMD EPYC 9554 64-Core Processor"
  std::string identity;           // see Description::uuid; empty where there is none
  std::vector<int> cpus;          // that may be used, in the order in which threads take them
  std::vector<int> package_cpus;  // CPUs of the measuring CPU's package
  std::vector<int> sibling_cpus;  // hardware threads of the measuring CPU's core, itself included
  int core_count = 0;             // physical cores among `cpus`
  std::vector<Cache> caches;      // nearest first; instruction caches left out
  Memory memory;
  std::string kernel;
  std::string microcode;   // empty where not said
  std::string governor;    // of the frequency; empty where not said
  std::string huge_pages;  // "always [madvise] never"; empty where not said
  bool virtual_machine = false;
  std::vector<std::string> missing;  // what could not be read, each with its reason

  /// The CPU that measures: the first of `cpus`.
  int cpu() const { return cpus.empty() ? 0 : cpus.front(); }
  /// Of the last level; 0 where no cache is stated.
  std::int64_t last_cache_bytes() const { return caches.empty() ? 0 : caches.back().size_bytes; }
  /// Of that level; 0 where it is not stated.
  std::int64_t cache_bytes(int level) const;
};

/// Data and unified caches of `cpu` under `root` (another root than "/" is for tests), nearest
/// first. What is malformed or has no size is an entry of `missing`.
std::vector<Cache> read_caches(const std::filesystem::path& root, int cpu,
                               std::vector<std::string>& missing);

/// "core", "socket", or "cluster" for what more than one core and not the whole package shares.
std::string scope_of(const Cache& cache, const DeviceInfo& info);

Memory read_memory(const std::filesystem::path& root = "/");

/// `allowed` as given by allowed_cpus(); one hardware thread of every core comes before any second
/// one, the highest number first (interrupts prefer the lowest).
DeviceInfo query_device(const std::filesystem::path& root, const std::vector<int>& allowed);

}  // namespace host
