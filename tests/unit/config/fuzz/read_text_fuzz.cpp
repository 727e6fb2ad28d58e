// Whatever the text: it is refused with its mistakes, or read, and then its normalised text is read
// to the same configuration. What stands after a zero byte is taken for --set, a line each.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "config/config.hpp"
#include "config/known_devices.hpp"
#include "config/plan.hpp"
#include "specs.hpp"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

void require_lines(const config::Errors& errors) {
  require(!errors.all().empty(), "a refusal names a mistake");
  for (const config::Diagnostic& one : errors.all()) {
    require(!one.what.empty(), "a mistake is named");
    require(one.line_text().find('\n') == std::string::npos, "a mistake is one line");
  }
}

void plan(const config::Config& config) {
  static const std::vector<core::ProbeSpec> specs = support::gpu_specs();
  try {
    const auto plan = config::plan(
        config, specs,
        {.capacities = config::known_device("h200")->capacities, .is_the_meant_device = false});
    for (const config::PlannedPoint& planned : plan.points)
      for (std::size_t i = 0; i < planned.point.settings.size(); ++i)
        require(planned.spec->axes[i].refuse(planned.point.settings[i].value).empty(),
                "a planned value is allowed");
  } catch (const config::Errors& errors) {
    require_lines(errors);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = input.find('\0');
  std::vector<std::string> sets;
  for (std::size_t at = zero; at < input.size();) {
    const std::size_t end = std::min(input.find('\n', at + 1), input.size());
    sets.push_back(input.substr(at + 1, end - at - 1));
    at = end;
  }
  // A folder that is not there: what the fuzzer makes up for extends is no file.
  const std::string name = "/nonexistent/fuzz.yaml";
  try {
    const config::Config config = config::read_text(input.substr(0, zero), name, sets);
    const config::Config again = config::read_text(config.text, name);
    require(again.text == config.text, "the normalised text is read back to itself");
    require(again.sha256 == config.sha256, "and to its hash");
    require(again.stanzas.size() == config.stanzas.size(), "and to the same stanzas");
    plan(config);
  } catch (const config::Errors& errors) {
    require_lines(errors);
  }
  return 0;
}
