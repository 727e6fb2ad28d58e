#pragma once
// What a result says of the run beside its measurements.

#include "app/choice.hpp"
#include "app/command_line.hpp"
#include "config/config.hpp"
#include "report/results.hpp"
#include "run/runner.hpp"

namespace app {

/// As it is before the first measurement; started now.
report::Context context_of(const config::Config& config, core::Description before,
                           const CommandLine& line);

/// A configuration made for another device: a note in the context, or core::UnavailableError under
/// --strict-device.
void refuse_or_note_other_device(const config::Config& config, const Choice& choice,
                                 const CommandLine& line, report::Context& context);

/// What a journal may be continued by.
run::Identity identity_of(const report::Context& context);

/// What is known once the run is over: the device's state after it, whether it is complete, and
/// why not.
void close_context(report::Results& results, core::Backend& backend, const run::Outcome& outcome,
                   int signal_number);

}  // namespace app
