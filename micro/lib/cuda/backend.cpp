#include "cuda/backend.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <optional>
#include <utility>
#include <variant>

#include "core/error.hpp"
#include "cuda/availability.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/description.hpp"
#include "cuda/driver.hpp"
#include "cuda/health.hpp"
#include "cuda/nvml.hpp"
#include "cuda/stream.hpp"
#include "cuda/warm_up.hpp"
#include "cuda/windows.hpp"

namespace cuda {
namespace {

/// What exists once the device was opened.
struct OpenDevice {
  explicit OpenDevice(DeviceInfo info)
      : device(std::move(info)),
        nvml(NvmlLibrary::shared(), device.uuid, device.pci),
        health(nvml) {}

  DeviceInfo device;
  NvmlDevice nvml;
  Health health;
};

/// What exists once the run was prepared.
struct Prepared {
  Prepared(const DeviceInfo& device, std::size_t memory_bytes)
      : context{.device = device, .arena = Arena(memory_bytes), .stream = stream.get()} {
    if (kernels_cut_short()) {
      context.run_cycles = 1e4;
    }
  }

  Stream stream;
  Context context;
};

class CudaBackend : public core::Backend {
 public:
  explicit CudaBackend(std::string wanted) : wanted_(std::move(wanted)) {
    // Lazy loading brings a kernel to the device at its first launch, in the middle of a run. Read
    // by the driver when it starts, so that it must be set before the first call.
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  }

  std::vector<core::ProbeSpec> probes() const override {
    std::vector<core::ProbeSpec> specs;
    for (const Registry::Probe& probe : Registry::instance().probes()) {
      specs.push_back(probe.spec);
    }
    return specs;
  }

  std::string unavailable() override {
    if (!refusal_) {
      refusal_ = find_device();
    }
    return *refusal_;
  }

  core::Description describe() override {
    const OpenDevice& opened = open();
    core::Description description = describe_device(opened.device);
    add_nvml_facts(opened.nvml, description);
    const auto& health = opened.health.missing();
    if (opened.nvml.refusal().empty()) {
      description.missing.insert(description.missing.end(), health.begin(), health.end());
    }
    if (!lost_.empty()) {
      description.state.push_back({"device_lost", lost_});
    }
    return description;
  }

  void release() override {
    if (open_device_) cudaDeviceReset();
    open_device_.reset();
  }

  std::string prepare(std::int64_t memory_bytes) override {
    const DeviceInfo& device = open().device;
    try {
      MICRO_CUDA_CHECK(cudaSetDevice(device.ordinal));
      // What no probe asks for otherwise; L1 probes want the smallest carve-out.
      MICRO_CUDA_CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
      prepared_.reset();  // a second prepare must not hold two arenas
      prepared_.emplace(device, static_cast<std::size_t>(memory_bytes));
      return warm_up_text(warm_up(device.sm_count, prepared_->stream));
    } catch (const core::DeviceLostError& error) {
      lost_ = error.what();
      throw;
    } catch (const core::MeasureError& error) {
      throw core::UnavailableError(fmt::format("device {} {} cannot be prepared: {}",
                                               device.ordinal, device.name, error.what()));
    }
  }

  core::Samples measure(const core::Point& point, const core::Trial& trial) override {
    if (!lost_.empty()) {
      throw core::DeviceLostError(lost_);
    }
    const Registry::Probe* const probe = Registry::instance().find(point.probe);
    if (probe == nullptr) {
      throw core::MeasureError(fmt::format("this build has no CUDA probe '{}'", point.probe));
    }
    if (!prepared_) {
      throw core::MeasureError("measure() before prepare()");
    }
    try {
      return measure_with_health(*probe, point, trial);
    } catch (const core::DeviceLostError& error) {
      lost_ = error.what();
      throw;
    } catch (const core::MeasureError&) {
      throw;
    } catch (const std::exception& error) {
      throw core::MeasureError(fmt::format("{}: {}", point.probe, error.what()));
    }
  }

 private:
  /// Chooses the device; empty, or why none can be used.
  std::string find_device() {
    if (const std::string no_driver = driver_refusal(probe_driver(), CUDART_VERSION);
        !no_driver.empty()) {
      return no_driver;
    }
    try {
      const auto visible = visible_devices();
      const auto chosen = select_device(wanted_, visible);
      if (const auto* const refusal = std::get_if<std::string>(&chosen)) {
        return *refusal;
      }
      const VisibleDevice& device = visible.at(static_cast<std::size_t>(std::get<int>(chosen)));
      ordinal_ = device.ordinal;
      return device_refusal(device);
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  std::string device_refusal(const VisibleDevice& device) {
    const std::string text = fmt::format("{} {} {}", device.ordinal, device.name, device.uuid);
    const auto attribute = [&](cudaDeviceAttr which) {
      int value = 0;
      const cudaError_t error = cudaDeviceGetAttribute(&value, which, device.ordinal);
      if (error != cudaSuccess) {
        throw core::UnavailableError(context_refusal(error, text, cudaComputeModeDefault));
      }
      return value;
    };
    const int mode = attribute(cudaDevAttrComputeMode);
    if (const std::string refusal = compute_mode_refusal(text, mode); !refusal.empty()) {
      return refusal;
    }
    const std::string program = own_program();
    const std::string refusal = architecture_refusal(device_images(program), text,
                                                     attribute(cudaDevAttrComputeCapabilityMajor),
                                                     attribute(cudaDevAttrComputeCapabilityMinor));
    if (refusal.empty() && mode == cudaComputeModeExclusiveProcess) {
      open_device_.emplace(
          query_device(device.ordinal));  // only trying tells whether another has it
    }
    return refusal;
  }

  OpenDevice& open() {
    if (const std::string refusal = unavailable(); !refusal.empty()) {
      throw core::UnavailableError(refusal);
    }
    if (!open_device_) {
      open_device_.emplace(query_device(ordinal_));
    }
    return *open_device_;
  }

  core::Samples measure_with_health(const Registry::Probe& probe, const core::Point& point,
                                    const core::Trial& trial) {
    // The runner may call from a thread that has no current device.
    MICRO_CUDA_CHECK(cudaSetDevice(open_device_->device.ordinal));
    const auto before = open_device_->health.read();
    core::Samples samples = probe.measure(prepared_->context, point, trial);
    // What a probe started and did not wait for must not become the next point's error.
    MICRO_CUDA_CHECK(cudaStreamSynchronize(prepared_->stream));
    MICRO_CUDA_CHECK(cudaGetLastError());
    const auto delta =
        health_delta(open_device_->health.items(), before, open_device_->health.read());
    samples.health.insert(samples.health.end(), delta.begin(), delta.end());
    if (kernels_cut_short())
      for (core::Check& check : samples.checks)
        if (check.name == kStopClockWaits) check.verdict = core::Verdict::not_available;
    return samples;
  }

  std::string wanted_;
  std::optional<std::string> refusal_;
  int ordinal_ = 0;
  std::optional<OpenDevice> open_device_;
  std::optional<Prepared> prepared_;
  std::string lost_;
};

}  // namespace

std::unique_ptr<core::Backend> make_backend(const std::string& device) {
  return std::make_unique<CudaBackend>(device);
}

}  // namespace cuda
