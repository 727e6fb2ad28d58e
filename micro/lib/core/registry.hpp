#pragma once
// Probes that register themselves: one static object at the end of a probe's file, no central list.

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "core/probe_spec.hpp"

namespace core {

/// `Measure` is the backend's own: Samples(Context&, const Point&, const Trial&).
template <typename Measure>
class Registry {
 public:
  struct Probe {
    ProbeSpec spec;
    Measure* measure;
  };

  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  void add(ProbeSpec spec, Measure* measure) {
    probes_.push_back({std::move(spec), measure});
    std::ranges::sort(probes_, {},
                      [](const Probe& p) -> const std::string& { return p.spec.name; });
  }

  const std::vector<Probe>& probes() const { return probes_; }

  const Probe* find(std::string_view name) const {
    const auto at =
        std::ranges::find_if(probes_, [&](const Probe& p) { return p.spec.name == name; });
    return at == probes_.end() ? nullptr : &*at;
  }

 private:
  std::vector<Probe> probes_;
};

/// `static const core::Registered<MeasureFn> registered{spec(), measure};`
template <typename Measure>
struct Registered {
  Registered(ProbeSpec spec, Measure* measure) {
    Registry<Measure>::instance().add(std::move(spec), measure);
  }
};

}  // namespace core
