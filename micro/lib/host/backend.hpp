#pragma once
// This machine's CPU as a backend: one pinned core through its caches.

#include <memory>

#include "core/backend.hpp"

namespace host {

std::unique_ptr<core::Backend> make_backend();

}  // namespace host
