#pragma once
// What can go wrong, by who has to act, and the exit codes of the program (README lists them).

#include <stdexcept>
#include <string>

namespace core {

namespace exit_code {
inline constexpr int kOk = 0;
inline constexpr int kWarning = 1;   // unstable or invalid points
inline constexpr int kCritical = 2;  // confirmed regression, health fault (compare, nightly)
inline constexpr int kUnknown = 3;   // could not measure, failed or incomplete
inline constexpr int kUsage = 64;    // usage or configuration error
inline constexpr int kInterrupted = 130;
}  // namespace exit_code

/// The program ends with one line and this exit code.
class Error : public std::runtime_error {
 public:
  Error(int exit_code, const std::string& what) : std::runtime_error(what), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

/// The person who typed the command or the configuration has to act.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& what) : Error(exit_code::kUsage, what) {}
};

/// This machine cannot do what was asked (no GPU, driver too old, journal of another device).
class UnavailableError : public Error {
 public:
  explicit UnavailableError(const std::string& what) : Error(exit_code::kUnknown, what) {}
};

/// One point could not be measured; the run goes on. The text is the point's reason.
class MeasureError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The point cannot be measured on this device as it is now (memory taken by others); status
/// `skipped`.
class SkipError : public MeasureError {
 public:
  using MeasureError::MeasureError;
};

/// The backend is unusable from here on in this process (a sticky CUDA error, the device fell off
/// the bus): every remaining point becomes `failed` with this reason, and `--resume` continues in a
/// fresh process.
class DeviceLostError : public MeasureError {
 public:
  using MeasureError::MeasureError;
};

}  // namespace core
