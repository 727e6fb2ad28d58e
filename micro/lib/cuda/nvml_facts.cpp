#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <vector>

#include "cuda/health.hpp"
#include "cuda/nvml.hpp"

namespace cuda {
namespace {

using core::Fact;

constexpr unsigned kTextLength = 96;
constexpr unsigned kMaxLinks = 36;
constexpr double kWattsPerMilliwatt = 1e-3;
constexpr std::int64_t kHertzPerMegahertz = 1'000'000;

// nvmlClockType_t, nvmlTemperatureSensors_t, nvmlMemoryErrorType_t, nvmlEccCounterType_t
constexpr unsigned kClockSm = 1;
constexpr unsigned kClockMemory = 2;
constexpr unsigned kSensorGpu = 0;
constexpr unsigned kCorrected = 0;
constexpr unsigned kUncorrected = 1;
constexpr unsigned kVolatile = 0;
constexpr unsigned kAggregate = 1;

struct ProcessInfo {  // nvmlProcessInfo_v2_t, of the functions with suffix _v3
  unsigned pid;
  unsigned long long used_memory_bytes;
  unsigned gpu_instance;
  unsigned compute_instance;
};

/// Asks for one value after another and files each as a fact, or under `missing` with the reason.
class Reader {
 public:
  Reader(const NvmlDevice& device, std::vector<std::string>& missing)
      : library_(device.library()), board_(device.board()), missing_(missing) {}

  void text(core::Facts& into, const char* name, const char* symbol) {
    std::array<char, kTextLength> value{};
    const auto get = library_.function<NvmlHandle, char*, unsigned>({symbol});
    const int code = get(board_, value.data(), kTextLength);
    file(into, name, code, std::string(value.data()));
  }

  /// `scale` brings the library's unit to the fact's.
  void number(core::Facts& into, const char* name, const char* symbol, std::int64_t scale = 1) {
    unsigned value = 0;
    const auto get = library_.function<NvmlHandle, unsigned*>({symbol});
    const int code = get(board_, &value);
    file(into, name, code, static_cast<std::int64_t>(value) * scale);
  }

  void watts(core::Facts& into, const char* name, const char* symbol) {
    unsigned milliwatts = 0;
    const auto get = library_.function<NvmlHandle, unsigned*>({symbol});
    const int code = get(board_, &milliwatts);
    file(into, name, code, milliwatts * kWattsPerMilliwatt);
  }

  void on_off(core::Facts& into, const char* name, const char* symbol) {
    unsigned value = 0;
    const auto get = library_.function<NvmlHandle, unsigned*>({symbol});
    const int code = get(board_, &value);
    file(into, name, code, value != 0);
  }

  /// A mode and what it will be after a reset.
  void mode(core::Facts& into, const std::string& name, const char* symbol) {
    unsigned current = 0;
    unsigned pending = 0;
    const auto get = library_.function<NvmlHandle, unsigned*, unsigned*>({symbol});
    const int code = get(board_, &current, &pending);
    file(into, name, code, current != 0);
    if (code == nvml::kSuccess) {
      into.push_back({name + "_pending", pending != 0});
    }
  }

  void clock(core::Facts& into, const char* name, const char* symbol, unsigned which) {
    unsigned megahertz = 0;
    const auto get = library_.function<NvmlHandle, unsigned, unsigned*>({symbol});
    const int code = get(board_, which, &megahertz);
    file(into, name, code, megahertz * kHertzPerMegahertz);
  }

  void ecc_errors(core::Facts& into, const char* name, unsigned type, unsigned counter) {
    unsigned long long count = 0;
    const auto get = library_.function<NvmlHandle, unsigned, unsigned, unsigned long long*>(
        {"nvmlDeviceGetTotalEccErrors"});
    const int code = get(board_, type, counter, &count);
    file(into, name, code, static_cast<std::int64_t>(count));
  }

  template <typename Value>
  void file(core::Facts& into, const std::string& name, int code, Value value) {
    if (code == nvml::kSuccess) {
      into.push_back({name, std::move(value)});
    } else {
      missing_.push_back(name + ": " + library_.error_text(code));
    }
  }

  void links(core::Facts& properties, core::Facts& state) {
    const auto get =
        library_.function<NvmlHandle, unsigned, unsigned*>({"nvmlDeviceGetNvLinkState"});
    std::int64_t present = 0;
    std::int64_t active = 0;
    int first_code = nvml::kSuccess;
    for (unsigned link = 0; link < kMaxLinks; ++link) {
      unsigned is_active = 0;
      const int code = get(board_, link, &is_active);
      first_code = link == 0 ? code : first_code;
      if (code != nvml::kSuccess) {
        break;
      }
      ++present;
      active += is_active != 0 ? 1 : 0;
    }
    file(properties, "nvlink_count", first_code, present);
    if (first_code == nvml::kSuccess) {
      state.push_back({"nvlink_active_count", active});
    }
  }

  void row_remaps(core::Facts& state) {
    unsigned corrected = 0;
    unsigned uncorrected = 0;
    unsigned pending = 0;
    unsigned failed = 0;
    const auto get = library_.function<NvmlHandle, unsigned*, unsigned*, unsigned*, unsigned*>(
        {"nvmlDeviceGetRemappedRows"});
    const int code = get(board_, &corrected, &uncorrected, &pending, &failed);
    file(state, "row_remaps_corrected_count", code, static_cast<std::int64_t>(corrected));
    if (code == nvml::kSuccess) {
      state.push_back({"row_remaps_uncorrected_count", static_cast<std::int64_t>(uncorrected)});
      state.push_back({"row_remap_pending", pending != 0});
      state.push_back({"row_remap_failed", failed != 0});
    }
  }

  // In a container the ids may be the host's: this program then counts itself as another.
  void other_processes(core::Facts& state) {
    std::array<ProcessInfo, 64> all{};
    unsigned count = all.size();
    const auto get = library_.function<NvmlHandle, unsigned*, ProcessInfo*>(
        {"nvmlDeviceGetComputeRunningProcesses_v3"});
    const int code = get(board_, &count, all.data());
    std::vector<std::string> others;
    for (unsigned i = 0; code == nvml::kSuccess && i < count && i < all.size(); ++i) {
      if (all[i].pid != static_cast<unsigned>(getpid())) {
        others.push_back(fmt::format("pid {}", all[i].pid));
      }
    }
    file(state, "other_compute_processes", code, others);
  }

  void events(core::Facts& state) {
    unsigned long long mask = 0;
    const auto get = library_.function<NvmlHandle, unsigned long long*>(
        {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    const int code = get(board_, &mask);
    file(state, "clock_event_reasons", code, event_reason_names(mask));
  }

 private:
  const NvmlLibrary& library_;
  NvmlHandle board_;
  std::vector<std::string>& missing_;
};

void add_system(const NvmlDevice& device, core::Facts& explanations,
                std::vector<std::string>& missing) {
  const std::string driver = device.library().driver_version();
  if (driver.empty()) {
    missing.push_back("driver_version: NVML does not answer");
  } else {
    explanations.push_back({"driver_version", driver});
  }
}

void add_state(const NvmlDevice& device, core::Facts& state, std::vector<std::string>& missing) {
  Reader read(device, missing);
  read.clock(state, "sm_clock_hertz", "nvmlDeviceGetClockInfo", kClockSm);
  read.clock(state, "memory_clock_now_hertz", "nvmlDeviceGetClockInfo", kClockMemory);
  unsigned celsius = 0;
  const auto temperature =
      device.library().function<NvmlHandle, unsigned, unsigned*>({"nvmlDeviceGetTemperature"});
  const int code = temperature(device.board(), kSensorGpu, &celsius);
  read.file(state, "temperature_celsius", code, static_cast<std::int64_t>(celsius));
  read.watts(state, "power_w", "nvmlDeviceGetPowerUsage");
  read.number(state, "performance_state", "nvmlDeviceGetPerformanceState");
  read.events(state);
  read.number(state, "pcie_generation", "nvmlDeviceGetCurrPcieLinkGeneration");
  read.number(state, "pcie_width_lanes", "nvmlDeviceGetCurrPcieLinkWidth");
  read.number(state, "pcie_replay_count", "nvmlDeviceGetPcieReplayCounter");
  read.ecc_errors(state, "ecc_corrected_since_load_count", kCorrected, kVolatile);
  read.ecc_errors(state, "ecc_uncorrected_since_load_count", kUncorrected, kVolatile);
  read.ecc_errors(state, "ecc_corrected_lifetime_count", kCorrected, kAggregate);
  read.ecc_errors(state, "ecc_uncorrected_lifetime_count", kUncorrected, kAggregate);
  read.row_remaps(state);
  read.other_processes(state);
}

}  // namespace

void add_nvml_facts(const NvmlDevice& device, core::Description& description) {
  if (!device.refusal().empty()) {
    description.missing.push_back("everything of NVML: " + device.refusal());
    return;
  }
  core::Facts& properties = description.properties;
  core::Facts& explanations = description.explanations;
  Reader read(device, description.missing);
  read.text(properties, "serial", "nvmlDeviceGetSerial");
  read.text(properties, "board_part_number", "nvmlDeviceGetBoardPartNumber");
  read.clock(properties, "nvml_max_sm_clock_hertz", "nvmlDeviceGetMaxClockInfo", kClockSm);
  read.clock(properties, "nvml_max_memory_clock_hertz", "nvmlDeviceGetMaxClockInfo", kClockMemory);
  read.number(properties, "nvml_memory_bus_bits", "nvmlDeviceGetMemoryBusWidth");
  read.number(properties, "pcie_generation_max", "nvmlDeviceGetMaxPcieLinkGeneration");
  read.number(properties, "pcie_width_max_lanes", "nvmlDeviceGetMaxPcieLinkWidth");
  read.links(properties, description.state);

  add_system(device, explanations, description.missing);
  read.text(explanations, "vbios_version", "nvmlDeviceGetVbiosVersion");
  read.mode(explanations, "ecc", "nvmlDeviceGetEccMode");
  read.mode(explanations, "mig_mode", "nvmlDeviceGetMigMode");
  read.on_off(explanations, "persistence_mode", "nvmlDeviceGetPersistenceMode");
  read.watts(explanations, "power_limit_w", "nvmlDeviceGetEnforcedPowerLimit");
  read.watts(explanations, "power_limit_default_w", "nvmlDeviceGetPowerManagementDefaultLimit");
  read.clock(explanations, "application_sm_clock_hertz", "nvmlDeviceGetApplicationsClock",
             kClockSm);
  read.clock(explanations, "application_memory_clock_hertz", "nvmlDeviceGetApplicationsClock",
             kClockMemory);

  add_state(device, description.state, description.missing);
}

}  // namespace cuda
