#include "model/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <regex>
#include <thread>
#include <utility>

#include "core/error.hpp"

namespace model {
namespace {

using Patterns = std::vector<std::regex>;

Patterns compile(const std::vector<std::string>& texts) {
  Patterns patterns;
  for (const std::string& text : texts) {
    try {
      patterns.emplace_back(text, std::regex::ECMAScript);
    } catch (const std::regex_error& error) {
      throw core::UsageError(fmt::format("'{}' is no regular expression: {}", text, error.what()));
    }
  }
  return patterns;
}

bool any(const Patterns& patterns, const std::string& id) {
  return std::ranges::any_of(patterns, [&](const auto& p) { return std::regex_search(id, p); });
}

int whole_number(std::string_view name, std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0)
    throw core::UsageError(fmt::format("{} takes a whole number, not '{}'", name, text));
  return value;
}

class Faulty : public core::Backend {
 public:
  Faulty(std::unique_ptr<core::Backend> backend, Faults faults)
      : backend_(std::move(backend)),
        faults_(std::move(faults)),
        fail_(compile(faults_.fail)),
        skip_(compile(faults_.skip)),
        hang_(compile(faults_.hang)),
        check_(compile(faults_.check)),
        throttle_(compile(faults_.throttle)),
        impossible_(compile(faults_.impossible)),
        not_a_number_(compile(faults_.not_a_number)) {}

  std::vector<core::ProbeSpec> probes() const override { return backend_->probes(); }
  std::string unavailable() override {
    return faults_.unavailable.empty() ? backend_->unavailable() : faults_.unavailable;
  }
  core::Description describe() override {
    core::Description description = backend_->describe();
    description.state.push_back({"faults_injected", true});
    return description;
  }
  std::string prepare(std::int64_t memory_bytes) override {
    return backend_->prepare(memory_bytes);
  }
  core::Samples measure(const core::Point& point, const core::Trial& trial) override;

 private:
  void falsify(core::Samples& samples, const std::string& id) const;

  std::unique_ptr<core::Backend> backend_;
  Faults faults_;
  Patterns fail_, skip_, hang_, check_, throttle_, impossible_, not_a_number_;
  int measured_ = 0;
};

core::Samples Faulty::measure(const core::Point& point, const core::Trial& trial) {
  const std::string id = point.id();
  if (faults_.sleep.count() > 0) std::this_thread::sleep_for(faults_.sleep);
  // Lost is lost: like a sticky CUDA error, every later call says the same.
  if (faults_.lost_after && measured_ >= *faults_.lost_after)
    throw core::DeviceLostError("injected: the device is lost");
  while (any(hang_, id)) std::this_thread::sleep_for(std::chrono::hours(1));
  if (any(fail_, id)) throw core::MeasureError("injected: this point fails");
  if (any(skip_, id)) throw core::SkipError("injected: this point is skipped");
  core::Samples samples = backend_->measure(point, trial);
  ++measured_;
  falsify(samples, id);
  return samples;
}

void Faulty::falsify(core::Samples& samples, const std::string& id) const {
  if (any(check_, id))
    samples.checks = {{.name = "final index",
                       .verdict = core::Verdict::fail,
                       .detail = "injected: ended elsewhere"}};
  if (any(throttle_, id)) samples.clock.cycles *= 0.8;
  for (core::Quantity& metric : samples.metrics) {
    if (any(impossible_, id) && metric.name != "latency") metric.value *= 10;
    if (any(not_a_number_, id)) metric.value = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

Faults parse_faults(std::string_view text) {
  Faults faults;
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (one.empty()) continue;
    const auto colon = std::min(one.find(':'), one.size());
    const std::string_view name = one.substr(0, colon);
    const std::string value(one.substr(std::min(colon + 1, one.size())));
    if (value.empty())
      throw core::UsageError(fmt::format("'{}' has no value; write {}:VALUE", one, name));
    if (name == "lost")
      faults.lost_after = whole_number(name, value);
    else if (name == "sleep_ms")
      faults.sleep = std::chrono::milliseconds(whole_number(name, value));
    else if (name == "unavailable")
      faults.unavailable = value;
    else if (name == "fail")
      faults.fail.push_back(value);
    else if (name == "skip")
      faults.skip.push_back(value);
    else if (name == "hang")
      faults.hang.push_back(value);
    else if (name == "check")
      faults.check.push_back(value);
    else if (name == "throttle")
      faults.throttle.push_back(value);
    else if (name == "impossible")
      faults.impossible.push_back(value);
    else if (name == "nan")
      faults.not_a_number.push_back(value);
    else
      throw core::UsageError(fmt::format(
          "'{}' is no fault; lost, fail, skip, hang, check, throttle, impossible, nan, sleep_ms, "
          "unavailable",
          name));
  }
  for (const auto* patterns : {&faults.fail, &faults.skip, &faults.hang, &faults.check,
                               &faults.throttle, &faults.impossible, &faults.not_a_number})
    compile(*patterns);  // so that a mistake is found here and not in mid-run
  return faults;
}

std::unique_ptr<core::Backend> with_faults(std::unique_ptr<core::Backend> backend, Faults faults) {
  return std::make_unique<Faulty>(std::move(backend), std::move(faults));
}

std::unique_ptr<core::Backend> with_faults(std::unique_ptr<core::Backend> backend,
                                           std::string_view text) {
  Faults faults;
  try {
    faults = parse_faults(text);
  } catch (const core::UsageError& error) {
    faults = {.unavailable = fmt::format("MICRO_INJECT: {}", error.what())};
  }
  return with_faults(std::move(backend), std::move(faults));
}

}  // namespace model
