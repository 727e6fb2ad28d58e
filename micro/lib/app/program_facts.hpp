#pragma once
// Who measured: this program and the machine it runs on.

#include <string>

#include "core/quantity.hpp"

namespace app {

/// git_revision, build_type, compiler, library versions, cuda_compiler when built with one.
core::Facts program_facts();

/// hostname, kernel, cpu, cores, memory_bytes; what cannot be read is left out.
core::Facts host_facts();

/// For --version, lines. `oldest_driver`: that this build's GPU code runs with.
std::string version_text(const std::string& oldest_driver);

/// As run::iso8601_utc() writes it.
std::string utc_now();

/// 16 hexadecimal digits that no other run has.
std::string new_run_id();

}  // namespace app
