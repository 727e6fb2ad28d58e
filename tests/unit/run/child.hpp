#pragma once
// Runs something in a forked process that may end in any way, and says how it ended.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

namespace run_test {

struct Ended {
  int exit_code = -1;  // -1: it did not exit
  int signal = 0;      // that ended it
  std::string stderr_text;
};

class Child {
 public:
  /// The child ends with what `body` returns.
  explicit Child(const std::function<int()>& body) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], STDERR_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      ::alarm(60);  // a test that hangs must not hang the suite
      ::_exit(body());
    }
    ::close(ends[1]);
    stderr_ = ends[0];
  }
  /// Waits for the line that the child writes first.
  std::string read_line() {
    std::string line;
    for (char c = 0; ::read(stderr_, &c, 1) == 1 && c != '\n';) line += c;
    return line;
  }
  void send(int signal) const { ::kill(pid_, signal); }

  Ended wait() {
    Ended ended;
    char block[4096];
    for (ssize_t got; (got = ::read(stderr_, block, sizeof block)) > 0;)
      ended.stderr_text.append(block, static_cast<std::size_t>(got));
    ::close(stderr_);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    return ended;
  }

 private:
  pid_t pid_ = 0;
  int stderr_ = -1;
};

inline void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

/// In the child: what read_line() waits for.
inline void say(const char* text) { ::dprintf(STDERR_FILENO, "%s\n", text); }

/// Waits until `condition` holds, 20 s at most; false when it never did.
inline bool wait_until(const std::function<bool()>& condition) {
  for (int i = 0; i < 4000; ++i) {
    if (condition()) return true;
    sleep_ms(5);
  }
  return false;
}

}  // namespace run_test
