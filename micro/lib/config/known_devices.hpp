#pragma once
// The devices that configurations may name, with what is stated of them: for --assume, for errors
// at plan time, and for choosing a configuration. Nothing measured or judged comes from here: that
// is queried from the device that is there.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/capacities.hpp"

namespace config {

struct KnownDevice {
  std::string key;           // "h200"
  std::string title;         // "NVIDIA H200 SXM (141 GB)"
  std::string name_pattern;  // ECMAScript, over the name the driver reports: "H200"
  core::Capacities capacities;
};

std::span<const KnownDevice> known_devices();
const KnownDevice* known_device(std::string_view key);
/// The known device whose pattern the reported name matches, or nullptr.
const KnownDevice* known_device_named(std::string_view reported_name);

}  // namespace config
