#pragma once
// The GPU as a backend. This header includes no CUDA: main sees only this.

#include <memory>
#include <string>

#include "core/backend.hpp"

namespace cuda {

/// `device`: index among the visible devices, UUID (GPU-... or MIG-..., a prefix that is unique) or
/// PCI id; empty: the first. Never fails: what is wrong is said by unavailable().
std::unique_ptr<core::Backend> make_backend(const std::string& device);

}  // namespace cuda
