#pragma once
// What can be measured, and what a plan would take, as text.

#include <span>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "config/plan.hpp"
#include "core/probe_spec.hpp"

namespace app {

/// One probe: question, method, axes with allowed values and what `auto` stands for.
std::string probe_text(const core::ProbeSpec& spec);

struct DryRun {
  std::string configuration;  // as typed
  std::string device = {};    // "NVIDIA H200", "NVIDIA H200 SXM (141 GB), assumed"
  double driver_seconds = 0;  // to take the device and give it back; not of the plan's time
  bool assumed = false;       // no device was asked
  std::vector<std::string> warnings = {};  // made for another device
};

/// A row a stanza: points, repetitions, bytes moved, estimated time; then memory, skipped points
/// with reasons, notes.
std::string dry_run_text(const config::Config& config, const config::Plan& plan,
                         const DryRun& about);

}  // namespace app
