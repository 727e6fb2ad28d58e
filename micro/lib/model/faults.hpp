#pragma once
// Trouble on demand: a backend that fails, hangs, lies or is lost where it is told to. For tests of
// everything that has to survive it.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend.hpp"

namespace model {

/// Each list holds ECMAScript regular expressions; a point whose id one of them matches in part has
/// that fault.
struct Faults {
  std::optional<int> lost_after = {};          // so many measurements succeed, then DeviceLostError
  std::vector<std::string> fail = {};          // MeasureError
  std::vector<std::string> skip = {};          // SkipError
  std::vector<std::string> hang = {};          // never returns
  std::vector<std::string> check = {};         // a check "final index" that fails
  std::vector<std::string> throttle = {};      // the clock that ran is 20 % lower
  std::vector<std::string> impossible = {};    // every bandwidth or rate is ten times what it was
  std::vector<std::string> not_a_number = {};  // every metric is NaN
  std::chrono::milliseconds sleep{0};          // before every measurement
  std::string unavailable = {};                // what unavailable() says
};

/// "lost:12;fail:read/footprint_bytes:1024$;sleep_ms:50", separated by semicolons: lost:N,
/// fail:REGEX, skip:REGEX, hang:REGEX, check:REGEX, throttle:REGEX, impossible:REGEX, nan:REGEX,
/// sleep_ms:N, unavailable:TEXT. Throws core::UsageError.
Faults parse_faults(std::string_view text);

/// Throws core::UsageError for what is no regular expression.
std::unique_ptr<core::Backend> with_faults(std::unique_ptr<core::Backend> backend, Faults faults);

/// Never throws: a mistake in `text` is what unavailable() says.
std::unique_ptr<core::Backend> with_faults(std::unique_ptr<core::Backend> backend,
                                           std::string_view text);

}  // namespace model
