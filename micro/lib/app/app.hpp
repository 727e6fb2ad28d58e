#pragma once
// The program: command line -> configuration -> plan -> run -> map -> files, and its exit code.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/backend.hpp"

namespace app {

/// A backend that this build has. main.cpp lists them; app knows none by type.
struct BackendEntry {
  std::string name;  // cuda, host, model
  /// `device`: index, UUID or PCI id; empty: the first. Never throws.
  std::function<std::unique_ptr<core::Backend>(const std::string& device)> make;
  /// The oldest driver that runs it ("r580"), for --version; empty: it needs none.
  std::string oldest_driver = {};
};

/// Returns the exit code; every exception has become one line on stderr.
int run(int argc, char** argv, const std::vector<BackendEntry>& backends);

}  // namespace app
