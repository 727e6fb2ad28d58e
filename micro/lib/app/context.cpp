#include "app/context.hpp"

#include <signal.h>

#include <algorithm>
#include <iterator>

#include "app/program_facts.hpp"
#include "core/error.hpp"

namespace app {
namespace {

std::string text_of(const core::Facts& facts, std::string_view name) {
  const core::Fact* fact = core::find(facts, name);
  const auto* text = fact == nullptr ? nullptr : std::get_if<std::string>(&fact->value);
  return text == nullptr ? std::string() : *text;
}

}  // namespace

report::Context context_of(const config::Config& config, core::Description before,
                           const CommandLine& line) {
  report::Context context{.run_id = new_run_id(),
                          .started_utc = utc_now(),
                          .finished_utc = {},
                          .before = std::move(before),
                          .host = host_facts(),
                          .program = program_facts(),
                          .config_name = config.name,
                          .config_text = config.text,
                          .config_sha256 = config.sha256,
                          .meant_for = config.device,
                          .seed = config.seed,
                          .repetitions = config.repetitions};
  if (!line.filter.empty()) context.notes.push_back("only points that match " + line.filter);
  if (!line.resume.empty()) context.notes.push_back("resumed from " + line.resume.string());
  return context;
}

void refuse_or_note_other_device(const config::Config& config, const Choice& choice,
                                 const CommandLine& line, report::Context& context) {
  if (is_meant(config, context.before)) return;
  const std::string what = choice.file.string() + " was made for " + config.device +
                           ", and this is " + context.before.device;
  if (line.strict_device) throw core::UnavailableError(what + " (--strict-device)");
  context.notes.push_back("warning: " + what +
                          ": everything is labelled and judged as the device that is measured");
}

run::Identity identity_of(const report::Context& context) {
  const core::Description& device = context.before;
  // A CPU has no UUID: the machine's name is what tells two of a kind apart.
  // NVML's word where it answers, else what the driver library says of itself.
  std::string driver = text_of(device.explanations, "driver_version");
  if (driver.empty()) driver = text_of(device.explanations, "cuda_driver_supports");
  const bool nameless = device.uuid.empty() && !device.simulated;
  return {.device_uuid = nameless ? "host " + text_of(context.host, "hostname") : device.uuid,
          .device = device.device,
          .driver = driver,
          .config_sha256 = context.config_sha256,
          .machine_code_sha256 = device.machine_code_sha256,
          .seed = context.seed,
          .config_text = context.config_text};
}

void close_context(report::Results& results, core::Backend& backend, const run::Outcome& outcome,
                   int signal_number) {
  report::Context& context = results.context;
  context.finished_utc = utc_now();
  context.warm_up = outcome.warm_up;
  try {
    context.state_after = backend.describe().state;
  } catch (const std::exception& error) {  // a lost device does not answer any more
    context.notes.push_back(std::string("no state after the run: ") + error.what());
  }
  if (!outcome.journal_error.empty())
    context.notes.push_back("the journal is not whole: " + outcome.journal_error);
  std::ranges::copy(outcome.notes, std::back_inserter(context.notes));
  results.complete = outcome.complete;
  results.incomplete_reason = outcome.incomplete_reason;
  if (outcome.interrupted)
    results.incomplete_reason =
        std::string("interrupted by ") + (signal_number == SIGINT ? "SIGINT" : "SIGTERM");
}

}  // namespace app
