#pragma once
// Mistakes in a configuration, each with its place, all of them in one pass.

#include <string>
#include <vector>

#include "core/error.hpp"

namespace config {

struct Place {
  std::string file;  // or "--set"
  int line = 0;      // from 1; 0 when the mistake has no line
  int column = 0;

  bool operator==(const Place&) const = default;
};

struct Diagnostic {
  Place place;
  std::string path;  // "stanzas[2].footprint"
  std::string what;  // what is wrong; what is allowed

  /// "configs/x.yaml:12:5: error: stanzas[2].footprint: 1.3KiB is no whole number of bytes; write
  /// 1331B or 1332B"
  std::string line_text() const;
};

/// what() is the lines joined by newlines. Exit code 64.
class Errors : public core::UsageError {
 public:
  explicit Errors(std::vector<Diagnostic> all);
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
};

/// Collects while reading goes on, so that one pass reports everything.
class Mistakes {
 public:
  void add(Place place, std::string path, std::string what);
  bool empty() const { return all_.empty(); }
  /// Throws Errors, in the order of file, line and column.
  [[noreturn]] void throw_all();
  void throw_if_any() {
    if (!empty()) throw_all();
  }

 private:
  std::vector<Diagnostic> all_;
};

}  // namespace config
