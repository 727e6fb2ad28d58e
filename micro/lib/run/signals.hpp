#pragma once
// Ctrl-C and SIGTERM: the first asks the run to stop after the sample in hand, the second ends the
// process.

namespace run {

/// While it lives, the first SIGINT or SIGTERM sets a flag and a later one ends the process at once
/// with exit code 130. Another within 100 ms of the first, of either kind, is the same request:
/// `timeout` sends its signal to the process and then to the group, and batch systems send SIGINT
/// and SIGTERM in one breath. One at a time (throws std::logic_error); the handlers found before are
/// put back.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  bool interrupted() const;
  /// The first signal's number, 0 when none came.
  int signal_number() const;
};

}  // namespace run
