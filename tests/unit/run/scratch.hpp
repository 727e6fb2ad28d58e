#pragma once
// A folder of its own for each test, and whole files.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace run_test {

class Scratch {
 public:
  Scratch() {
    // In memory where that is possible: hundreds of journals are synced here.
    const std::filesystem::path memory = "/dev/shm";
    const bool usable = ::access(memory.c_str(), W_OK) == 0;
    std::string name =
        ((usable ? memory : std::filesystem::temp_directory_path()) / "run_test_XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::filesystem::filesystem_error("mkdtemp", name, {});
    folder_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// The message and exit code of the core::Error that `call` throws; {"", 0} when it throws none.
template <typename Call>
std::pair<std::string, int> error_of(Call call) {
  try {
    call();
  } catch (const core::Error& error) {
    return {error.what(), error.exit_code()};
  }
  return {"", 0};
}

}  // namespace run_test
