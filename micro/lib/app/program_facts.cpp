#include "app/program_facts.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "app/build_info.hpp"
#include "run/utc.hpp"

namespace app {
namespace {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    // "model name" on x86, "CPU part" on Arm machines, which do not name the model.
    if (colon != std::string::npos && (line.starts_with("model name") || line.starts_with("Model")))
      return line.substr(colon + 2);
  }
  return {};
}

// The kernel module's word: it does not wake the driver.
std::string driver_version() {
  std::string version;
  std::ifstream("/sys/module/nvidia/version") >> version;
  return version;
}

}  // namespace

core::Facts program_facts() {
  core::Facts facts{
      {"version", std::string(build_info::kVersion)},
      {"git_revision", std::string(build_info::kGitRevision)},
      {"build_type", std::string(build_info::kBuildType)},
      {"compiler", std::string(build_info::kCompiler)},
      {"fmt",
       fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"nlohmann_json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                    NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"google_benchmark", std::string(MICRO_BENCHMARK_VERSION)},
      {"yaml_cpp", std::string(MICRO_YAML_CPP_VERSION)}};
  if (build_info::kCudaCompiler.empty()) return facts;
  facts.push_back({"cuda_compiler", std::string(build_info::kCudaCompiler)});
  facts.push_back({"cuda_architectures", std::string(build_info::kCudaArchitectures)});
  return facts;
}

core::Facts host_facts() {
  core::Facts facts;
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) == 0)
    facts.push_back({"hostname", std::string(name.data())});
  utsname system{};
  if (uname(&system) == 0)
    facts.push_back({"kernel", fmt::format("{} {}", system.sysname, system.release)});
  if (const std::string cpu = cpu_name(); !cpu.empty()) facts.push_back({"cpu", cpu});
  if (const long cores = sysconf(_SC_NPROCESSORS_ONLN); cores > 0)
    facts.push_back({"cores", std::int64_t{cores}});
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0)
    facts.push_back({"memory_bytes", std::int64_t{pages} * page_bytes});
  return facts;
}

std::string version_text(const std::string& oldest_driver) {
  std::string text =
      fmt::format("suite {} (git {}, {})\ncompiler  {}\n", build_info::kVersion,
                  build_info::kGitRevision, build_info::kBuildType, build_info::kCompiler);
  if (build_info::kCudaCompiler.empty())
    text += "CUDA      not in this build\n";
  else
    text += fmt::format("CUDA      {} for architectures {}; oldest driver that works: {}\n",
                        build_info::kCudaCompiler, build_info::kCudaArchitectures, oldest_driver);
  const std::string driver = driver_version();
  return text + fmt::format("driver    {}\n", driver.empty() ? "none here" : driver);
}

std::string utc_now() { return run::iso8601_utc(std::chrono::system_clock::now()); }

std::string new_run_id() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

}  // namespace app
