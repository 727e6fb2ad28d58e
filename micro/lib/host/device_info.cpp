#include "host/device_info.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "core/sha256.hpp"
#include "host/pinning.hpp"
#include "host/sysfs.hpp"

namespace host {
namespace {

namespace fs = std::filesystem;

fs::path cpu_folder(const fs::path& root, int cpu) {
  return root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu));
}

std::vector<int> cpu_list(const fs::path& file) {
  const auto text = read_line(file);
  if (!text) return {};
  try {
    return parse_cpu_list(*text);
  } catch (const std::invalid_argument&) {
    return {};
  }
}

// Linux leaves cache sizes out of sysfs on some virtual machines where the C library still knows
// them.
std::vector<Cache> caches_of_sysconf() {
  std::vector<Cache> caches;
  for (const auto& [level, name, text] :
       {std::tuple{1, _SC_LEVEL1_DCACHE_SIZE, "sysconf(_SC_LEVEL1_DCACHE_SIZE)"},
        std::tuple{2, _SC_LEVEL2_CACHE_SIZE, "sysconf(_SC_LEVEL2_CACHE_SIZE)"},
        std::tuple{3, _SC_LEVEL3_CACHE_SIZE, "sysconf(_SC_LEVEL3_CACHE_SIZE)"}})
    if (const long size = sysconf(name); size > 0)
      caches.push_back({.level = level, .size_bytes = size, .stated_by = text});
  return caches;
}

// x86 has a model name; Arm has numbers.
std::string model_of(const std::map<std::string, std::string>& cpuinfo) {
  const auto value = [&](const char* key) {
    const auto at = cpuinfo.find(key);
    return at == cpuinfo.end() ? std::string() : at->second;
  };
  if (!value("model name").empty()) return value("model name");
  if (!value("CPU implementer").empty())
    return "CPU implementer " + value("CPU implementer") + " part " + value("CPU part");
  return {};
}

// machine-id is confidential by its manual: only a hash of it leaves the machine. The model is in
// it so that an image started on another machine is another device.
std::string identity_of(const fs::path& root, const std::string& model) {
  const auto id = read_line(root / "etc/machine-id");
  if (!id || id->empty() || *id == "uninitialized") return {};
  const std::string hash = core::sha256("memory hierarchy of this machine\n" + *id + "\n" + model);
  return "CPU-" + hash.substr(0, 8) + "-" + hash.substr(8, 4) + "-" + hash.substr(12, 4) + "-" +
         hash.substr(16, 4) + "-" + hash.substr(20, 12);
}

void order_cpus(const fs::path& root, const std::vector<int>& allowed, DeviceInfo& info) {
  std::vector<int> first;
  std::vector<int> second;
  std::set<int> taken;
  for (auto cpu = allowed.rbegin(); cpu != allowed.rend(); ++cpu) {
    (taken.contains(*cpu) ? second : first).push_back(*cpu);
    for (const int sibling : cpu_list(cpu_folder(root, *cpu) / "topology/thread_siblings_list"))
      taken.insert(sibling);
  }
  info.core_count = static_cast<int>(first.size());
  info.cpus = first;
  info.cpus.insert(info.cpus.end(), second.begin(), second.end());
}

}  // namespace

std::int64_t DeviceInfo::cache_bytes(int level) const {
  const auto at = std::ranges::find(caches, level, &Cache::level);
  return at == caches.end() ? 0 : at->size_bytes;
}

std::vector<Cache> read_caches(const fs::path& root, int cpu, std::vector<std::string>& missing) {
  std::vector<Cache> caches;
  const fs::path folder = cpu_folder(root, cpu) / "cache";
  for (int index = 0; fs::exists(folder / ("index" + std::to_string(index))); ++index) {
    const fs::path entry = folder / ("index" + std::to_string(index));
    const std::string name = "cpu" + std::to_string(cpu) + "/cache/" + entry.filename().string();
    if (read_line(entry / "type").value_or("") == "Instruction") continue;
    const auto level = parse_number(read_line(entry / "level").value_or(""));
    const auto size = parse_size(read_line(entry / "size").value_or(""));
    if (!level || !size || *size == 0) {
      missing.push_back("cache: sysfs " + name + " has no readable level and size");
      continue;
    }
    const auto count = [&](const char* file) {
      return static_cast<int>(parse_number(read_line(entry / file).value_or("")).value_or(0));
    };
    caches.push_back({.level = static_cast<int>(*level),
                      .size_bytes = *size,
                      .line_bytes = count("coherency_line_size"),
                      .ways = count("ways_of_associativity"),
                      .shared_cpus = cpu_list(entry / "shared_cpu_list"),
                      .stated_by = "sysfs " + name + "/size"});
  }
  if (caches.empty()) missing.push_back("caches: sysfs says nothing of cpu" + std::to_string(cpu));
  std::ranges::sort(caches, {}, &Cache::level);
  return caches;
}

std::string scope_of(const Cache& cache, const DeviceInfo& info) {
  const auto all_within = [&](const std::vector<int>& cpus) {
    return std::ranges::all_of(cache.shared_cpus,
                               [&](int cpu) { return std::ranges::count(cpus, cpu) > 0; });
  };
  if (cache.shared_cpus.empty()) return cache.level < 3 ? "core" : "socket";
  if (cache.shared_cpus.size() == 1 || all_within(info.sibling_cpus)) return "core";
  return cache.shared_cpus.size() < info.package_cpus.size() ? "cluster" : "socket";
}

Memory read_memory(const fs::path& root) {
  Memory memory;
  const auto meminfo = read_table(root / "proc/meminfo");
  const auto bytes = [&](const char* key) {
    const auto at = meminfo.find(key);
    return at == meminfo.end() ? 0 : parse_size(at->second).value_or(0);
  };
  memory.total_bytes = bytes("MemTotal");
  memory.free_bytes = bytes("MemAvailable");
  // A container sees its own group at the root of the tree.
  const auto limit = parse_number(read_line(root / "sys/fs/cgroup/memory.max").value_or(""));
  const auto used = parse_number(read_line(root / "sys/fs/cgroup/memory.current").value_or(""));
  if (limit && memory.total_bytes > *limit) memory.total_bytes = *limit;
  if (limit && used)
    memory.free_bytes = std::min(memory.free_bytes, std::max<std::int64_t>(*limit - *used, 0));
  return memory;
}

DeviceInfo query_device(const fs::path& root, const std::vector<int>& allowed) {
  DeviceInfo info;
  const auto cpuinfo = read_table(root / "proc/cpuinfo");
  info.model = model_of(cpuinfo);
  if (info.model.empty()) info.missing.push_back("model: /proc/cpuinfo names none");
  info.identity = identity_of(root, info.model);
  if (info.identity.empty())
    info.missing.push_back("identity: /etc/machine-id is missing or not initialised");

  order_cpus(root, allowed, info);
  if (allowed.empty()) info.missing.push_back("allowed CPUs: sched_getaffinity failed");
  info.sibling_cpus = cpu_list(cpu_folder(root, info.cpu()) / "topology/thread_siblings_list");
  info.package_cpus = cpu_list(cpu_folder(root, info.cpu()) / "topology/package_cpus_list");
  info.caches = read_caches(root, info.cpu(), info.missing);
  if (info.caches.empty() && root == "/") info.caches = caches_of_sysconf();

  info.memory = read_memory(root);
  if (info.memory.total_bytes == 0) info.missing.push_back("memory: /proc/meminfo not readable");
  utsname system{};
  if (uname(&system) == 0) info.kernel = std::string(system.sysname) + " " + system.release;
  if (const auto at = cpuinfo.find("microcode"); at != cpuinfo.end())
    info.microcode = at->second;
  else
    info.missing.push_back("microcode: /proc/cpuinfo names none");
  info.governor = read_line(cpu_folder(root, info.cpu()) / "cpufreq/scaling_governor").value_or("");
  if (info.governor.empty())
    info.missing.push_back("governor: no cpufreq in sysfs (usual in a virtual machine)");
  info.huge_pages = read_line(root / "sys/kernel/mm/transparent_hugepage/enabled").value_or("");
  if (info.huge_pages.empty())
    info.missing.push_back("transparent huge pages: this kernel has none");
  if (const auto at = cpuinfo.find("flags"); at != cpuinfo.end())
    info.virtual_machine = (" " + at->second + " ").find(" hypervisor ") != std::string::npos;
  return info;
}

}  // namespace host
