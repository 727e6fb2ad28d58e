#include "app/choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/console.hpp"
#include "app/paths.hpp"
#include "core/error.hpp"

namespace app {
namespace {

constexpr const char* kGpuBackend = "cuda";
constexpr const char* kForThisCpu = "; for this machine's CPU: configs/host.yaml";

const BackendEntry* entry(const std::vector<BackendEntry>& backends, const std::string& name) {
  const auto at = std::ranges::find(backends, name, &BackendEntry::name);
  return at == backends.end() ? nullptr : &*at;
}

}  // namespace

const config::KnownDevice& assumed_device(const std::string& key) {
  if (const auto* device = config::known_device(key)) return *device;
  std::string keys;
  for (const auto& device : config::known_devices())
    keys += (keys.empty() ? "" : ", ") + device.key;
  throw core::UsageError("--assume: '" + key + "' is not known; known are " + keys);
}

Choice choose(const CommandLine& line, const std::vector<BackendEntry>& backends,
              const std::filesystem::path& configs) {
  const auto chosen = [&](const std::string& name, const std::string& why) {
    const Choice choice{shown(configs / (name + ".yaml")), why};
    if (!line.quiet) say(choice.file.string() + ": " + why);
    return choice;
  };
  if (!line.config.empty()) return {line.config, {}};
  if (!line.assume.empty())
    return chosen(assumed_device(line.assume).key,
                  "for an assumed " + assumed_device(line.assume).title);

  const BackendEntry* gpu = entry(backends, kGpuBackend);
  std::string reason = "this build has no CUDA backend";
  if (gpu != nullptr) {
    const auto backend = gpu->make(line.device);
    reason = backend->unavailable();
    if (reason.empty()) {
      const std::string name = backend->describe().device;
      if (const auto* known = config::known_device_named(name))
        return chosen(known->key, "this is an " + name);
      return chosen("gpu", "this is an " + name + ", for which there is no map of its own");
    }
  }
  if (!line.device.empty()) throw core::UnavailableError("--device " + line.device + ": " + reason);
  return chosen("host", "this machine's CPU, because " + reason);
}

config::Config read_config(const std::filesystem::path& file, const CommandLine& line) {
  config::Config config = config::read(file, line.sets);
  std::vector<std::string> sets = line.sets;
  if (line.repetitions)
    for (std::size_t i = 0; i < config.stanzas.size(); ++i)
      if (config.stanzas[i].repetitions)
        sets.push_back(fmt::format("stanzas.{}.repetitions={}", i, *line.repetitions));
  return sets.size() == line.sets.size() ? config : config::read(file, sets);
}

std::unique_ptr<core::Backend> make_backend(const config::Config& config, const Choice& choice,
                                            const CommandLine& line,
                                            const std::vector<BackendEntry>& backends) {
  const BackendEntry* found = entry(backends, config.backend);
  if (found == nullptr)
    throw core::UnavailableError(choice.file.string() + " needs the " + config.backend +
                                 " backend, which this build does not have" +
                                 (config.backend == kGpuBackend
                                      ? std::string(" (built without nvcc)") + kForThisCpu
                                      : std::string()));
  if (!line.device.empty() && config.backend != kGpuBackend)
    throw core::UsageError("--device chooses a GPU, and " + choice.file.string() +
                           " measures with the " + config.backend + " backend");
  return found->make(line.device);
}

void require_available(core::Backend& backend, const config::Config& config, const Choice& choice) {
  const std::string reason = backend.unavailable();
  if (reason.empty()) return;
  const bool elsewhere =
      config.backend == kGpuBackend && reason.find("host.yaml") == std::string::npos;
  throw core::UnavailableError(choice.file.string() + " cannot be measured here: " + reason +
                               (elsewhere ? kForThisCpu : ""));
}

bool names(const config::Config& config, const core::Description& description) {
  const auto* known = config::known_device_named(description.device);
  return known != nullptr && known->key == config.device;
}

bool is_meant(const config::Config& config, const core::Description& description) {
  return config.device.empty() || config.device == "any" || names(config, description);
}

}  // namespace app
