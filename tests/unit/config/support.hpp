#pragma once
// What the tests of this folder share: mistakes as text, and files in a folder of the test's own.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "config/known_devices.hpp"
#include "config/plan.hpp"
#include "specs.hpp"

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

inline config::Target h200() { return {.capacities = config::known_device("h200")->capacities}; }

}  // namespace support
