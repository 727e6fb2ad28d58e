#pragma once
// A backend that is there or not and measures nothing.

#include <memory>
#include <string>
#include <vector>

#include "app/app.hpp"
#include "core/error.hpp"

namespace app {

class FakeBackend : public core::Backend {
 public:
  FakeBackend(std::string device, std::string unavailable)
      : device_(std::move(device)), unavailable_(std::move(unavailable)) {}
  std::vector<core::ProbeSpec> probes() const override { return {}; }
  std::string unavailable() override { return unavailable_; }
  core::Description describe() override {
    if (!unavailable_.empty()) throw core::UnavailableError(unavailable_);
    core::Description description;
    description.device = device_;
    return description;
  }
  std::string prepare(std::int64_t) override { return {}; }
  core::Samples measure(const core::Point&, const core::Trial&) override {
    throw core::MeasureError("a fake");
  }

 private:
  std::string device_;
  std::string unavailable_;
};

inline BackendEntry fake(const std::string& name, const std::string& device,
                         const std::string& unavailable = {}) {
  return {.name = name, .make = [=](const std::string&) {
            return std::make_unique<FakeBackend>(device, unavailable);
          }};
}

}  // namespace app
