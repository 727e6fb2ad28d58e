#include "run/signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "child.hpp"
#include "core/error.hpp"
#include "fake_backend.hpp"
#include "run/runner.hpp"
#include "scratch.hpp"

namespace {

using run_test::Child;
using run_test::sleep_ms;

// A run of 100 slow points; exits 42 when it was cut short and kept what it had.
int slow_run(const run_test::Scratch& scratch) {
  const run::Signals signals;
  run_test::FakeBackend backend;
  backend.hook = [](auto&&...) { sleep_ms(100); };
  run::Journal journal(scratch / "j", run_test::identity());
  run::Options options = run_test::options();
  options.interrupted = [&] { return signals.interrupted(); };
  const run::Outcome outcome = run::run(run_test::tasks(100, 1), backend, journal, options);
  std::size_t measured = 0;
  for (const auto& one : outcome.measurements) measured += one.repetitions.size();
  return outcome.interrupted && measured == backend.calls.size() && measured < 100 ? 42 : 1;
}

bool has_begun(const run_test::Scratch& scratch) {
  return run_test::wait_until(
      [&] { return std::ranges::count(run_test::text_of(scratch / "j"), '\n') >= 2; });
}

class FirstSignal : public testing::TestWithParam<int> {};

TEST_P(FirstSignal, finishes_the_sample_and_gives_a_valid_partial_result) {
  const run_test::Scratch scratch;
  Child child([&] { return slow_run(scratch); });
  ASSERT_TRUE(has_begun(scratch));
  child.send(GetParam());
  EXPECT_EQ(child.wait().exit_code, 42);
  EXPECT_NO_THROW(run::Journal::resume(scratch / "j", run_test::identity()));
}
INSTANTIATE_TEST_SUITE_P(Signals, FirstSignal, testing::Values(SIGINT, SIGTERM));

// Waits, deaf to everything but what ends the process.
int wait_for_ever() {
  const run::Signals signals;
  run_test::say("ready");
  while (!signals.interrupted()) sleep_ms(1);
  run_test::say("asked");
  sleep_ms(50000);
  return 0;
}

class SecondSignal : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(SecondSignal, ends_the_process_at_once_with_130) {
  Child child(wait_for_ever);
  EXPECT_EQ(child.read_line(), "ready");
  child.send(GetParam().first);
  EXPECT_EQ(child.read_line(), "asked");
  sleep_ms(150);
  const auto sent = std::chrono::steady_clock::now();
  child.send(GetParam().second);
  EXPECT_EQ(child.wait().exit_code, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(10));
}
INSTANTIATE_TEST_SUITE_P(Signals, SecondSignal,
                         testing::Values(std::pair{SIGINT, SIGINT}, std::pair{SIGTERM, SIGTERM},
                                         std::pair{SIGINT, SIGTERM}));

// timeout(1) signals the process and then its group, which the process is in; batch systems end a
// job with SIGINT and SIGTERM.
class OneBreath : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(OneBreath, makes_two_signals_one_request) {
  int exit_code = 0;
  // A busy machine may take a pause between the two: one try of ten has to be without.
  for (int i = 0; i < 10 && exit_code != 42; ++i) {
    Child child([] {
      const run::Signals signals;
      ::raise(GetParam().first);
      ::raise(GetParam().second);
      return signals.signal_number() == GetParam().first ? 42 : 1;
    });
    exit_code = child.wait().exit_code;
  }
  EXPECT_EQ(exit_code, 42);
}
INSTANTIATE_TEST_SUITE_P(Signals, OneBreath,
                         testing::Values(std::pair{SIGTERM, SIGTERM}, std::pair{SIGINT, SIGTERM},
                                         std::pair{SIGTERM, SIGINT}));

TEST(Signals, are_named_by_the_first_and_forgotten_by_the_next_watch) {
  for (const int number : {SIGTERM, SIGINT}) {
    const run::Signals signals;
    EXPECT_FALSE(signals.interrupted());
    EXPECT_EQ(signals.signal_number(), 0);
    ::raise(number);
    EXPECT_TRUE(signals.interrupted());
    EXPECT_EQ(signals.signal_number(), number);
  }
}

volatile sig_atomic_t own_handler_ran = 0;

TEST(Signals, are_handled_as_before_once_nobody_watches) {
  struct sigaction own = {}, before = {};
  own.sa_handler = [](int) { own_handler_ran = 1; };
  ::sigaction(SIGINT, &own, &before);
  {
    const run::Signals signals;
    ::raise(SIGINT);
    EXPECT_EQ(own_handler_ran, 0);
  }
  ::raise(SIGINT);
  EXPECT_EQ(own_handler_ran, 1);
  ::sigaction(SIGINT, &before, nullptr);
}

TEST(Signals, are_watched_once) {
  const run::Signals signals;
  EXPECT_THROW(run::Signals(), std::logic_error);
}

}  // namespace
