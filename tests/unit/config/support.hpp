#pragma once
// What the tests of this folder share: mistakes as text, files in a folder of the test's own, and
// probes like those that ship.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "config/known_devices.hpp"
#include "config/plan.hpp"

namespace support {

/// The lines that `action` is refused with; "accepted" when it is not refused.
template <typename Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const config::Errors& errors) {
    EXPECT_EQ(errors.exit_code(), 64);
    return errors.what();
  }
  return "accepted";
}

inline std::string refusal_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  return refusal([&] { config::read_text(text, "x.yaml", sets); });
}

inline std::string refusal_of_file(const std::filesystem::path& file) {
  return refusal([&] { config::read(file); });
}

inline testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "not in it: " << part << "\nin: " << text.substr(0, 2000);
}

/// A stanza of latency/global with these lines in it, as a whole configuration.
inline std::string with_stanza(const std::string& lines) {
  return "backend: cuda\nstanzas:\n  - probe: latency/global\n    " + lines + "\n";
}

class Folder {
 public:
  Folder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ =
        std::filesystem::temp_directory_path() / (std::string(info->test_suite_name()) + "." +
                                                  info->name() + "." + std::to_string(::getpid()));
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline core::Axis words(std::string name, std::vector<std::string> all) {
  return {.name = std::move(name), .unit = "", .meaning = "", .words = all, .automatic = all};
}

inline core::Axis numbers(std::string name, std::vector<std::int64_t> allowed) {
  core::Axis axis{.name = std::move(name), .unit = "count", .meaning = "", .allowed = allowed};
  for (const std::int64_t number : allowed) axis.automatic.push_back(std::to_string(number));
  return axis;
}

inline core::Axis footprint() {
  return {.name = "footprint",
          .unit = "bytes",
          .meaning = "",
          .min = 1024,
          .max = std::int64_t{1} << 40,
          .multiple_of = 128,
          .automatic = {"16KiB", "0.1 x l2"}};
}

/// The probes of the CUDA backend by their axes; costs are the footprint and a second per GiB.
inline std::vector<core::ProbeSpec> gpu_specs() {
  const auto cost = [](const core::Point& point, const core::Capacities&) {
    const std::int64_t bytes = point.has("footprint") ? point.number("footprint") : 4096;
    return core::Cost{.memory_bytes = bytes,
                      .moved_bytes = static_cast<double>(bytes),
                      .seconds = static_cast<double>(bytes) / (1 << 30)};
  };
  const auto probe = [&](std::string name, std::vector<core::Axis> axes) {
    core::ProbeSpec spec;
    spec.name = std::move(name);
    spec.axes = std::move(axes);
    spec.cost = cost;
    return spec;
  };
  core::Axis width = numbers("width", {4, 8, 16});
  width.unit = "bytes";
  std::vector<core::ProbeSpec> specs = {
      probe("latency/register", {words("operation", {"ffma", "imad", "dfma", "shuffle"})}),
      probe("latency/shared", {words("method", {"raw", "index"})}),
      probe("latency/global", {words("operator", {"ca", "cg"}), footprint()}),
      probe("bandwidth/register", {words("operation", {"ffma"}), numbers("chains", {1, 2, 4, 8}),
                                   numbers("warps", {4, 8, 16, 32})}),
      probe("bandwidth/shared", {words("operation", {"read", "write"}), width}),
      probe("bandwidth/global", {words("operation", {"read", "write", "copy", "triad"}),
                                 words("operator", {"ca", "cg"}), footprint()}),
      probe("overhead/clock", {words("method", {"clock64", "globaltimer"})}),
      probe("overhead/launch", {words("method", {"stream", "graph", "sync"})})};
  specs[5].refuse = [](const core::Point& point) {
    return point.word("operator") == "ca" && point.word("operation") != "read"
               ? std::string("operator ca only reads; cg")
               : std::string();
  };
  return specs;
}

inline config::Target h200() { return {.capacities = config::known_device("h200")->capacities}; }

}  // namespace support
