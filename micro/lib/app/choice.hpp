#pragma once
// Which configuration, and which backend for it.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/app.hpp"
#include "app/command_line.hpp"
#include "config/config.hpp"
#include "config/known_devices.hpp"
#include "core/backend.hpp"

namespace app {

struct Choice {
  std::filesystem::path file;
  std::string why;  // empty: the caller named it
};

/// The configuration that was named, else the one for the assumed device or for what is here, from
/// `configs`; which and why is then said on stderr. Throws core::UnavailableError when a device was asked for by --device and there is
/// none.
Choice choose(const CommandLine& line, const std::vector<BackendEntry>& backends,
              const std::filesystem::path& configs);

/// The device of --assume. Throws core::UsageError naming the known ones.
const config::KnownDevice& assumed_device(const std::string& key);

/// The file with what was typed (--set and its short forms) on top. --repetitions counts for every
/// point: for stanzas with a number of their own, too.
config::Config read_config(const std::filesystem::path& file, const CommandLine& line);

/// Throws core::UnavailableError when this build has no such backend, core::UsageError when a
/// device was chosen for a backend that has none to choose from.
std::unique_ptr<core::Backend> make_backend(const config::Config& config, const Choice& choice,
                                            const CommandLine& line,
                                            const std::vector<BackendEntry>& backends);

/// Throws core::UnavailableError: one line with the reason and with what can be done instead.
void require_available(core::Backend& backend, const config::Config& config, const Choice& choice);

/// The configuration was made for this device, or for any.
bool is_meant(const config::Config& config, const core::Description& description);

/// The configuration was made for this very kind of device: a footprint above its memory is then a mistake of the configuration. Where it
/// was made for any, such a point is skipped.
bool names(const config::Config& config, const core::Description& description);

}  // namespace app
