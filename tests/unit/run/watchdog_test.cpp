#include "run/watchdog.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "child.hpp"
#include "core/error.hpp"
#include "fake_backend.hpp"
#include "run/journal_text.hpp"
#include "run/runner.hpp"
#include "scratch.hpp"

namespace {

using run_test::Child;
using run_test::sleep_ms;

TEST(Watchdog, ends_a_run_that_hangs_with_exit_code_3_one_line_and_a_journal_that_resumes) {
  const run_test::Scratch scratch;
  Child child([&] {
    run_test::FakeBackend backend;
    backend.hook = [&](auto&&...) {
      if (backend.calls.size() == 4) sleep_ms(60000);
    };
    run::Journal journal(scratch / "j", run_test::identity());
    run::Options options = run_test::options();
    options.watchdog_seconds = 0.2;
    run::run(run_test::tasks(3, 2), backend, journal, options);
    return 0;
  });
  const run_test::Ended ended = child.wait();
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_EQ(std::ranges::count(ended.stderr_text, '\n'), 1) << ended.stderr_text;
  EXPECT_NE(ended.stderr_text.find((scratch / "j").string()), std::string::npos);
  const auto order = run::order(run_test::tasks(3, 2), 7);
  const std::string hung = run_test::tasks(3, 2)[order[3].first].point.id() + " (repetition 1)";
  EXPECT_NE(ended.stderr_text.find(hung), std::string::npos) << ended.stderr_text;

  const run::Journal journal = run::Journal::resume(scratch / "j", run_test::identity());
  std::size_t recorded = 0;
  for (const auto& [id, all] : journal.recorded()) recorded += all.size();
  EXPECT_EQ(recorded, 3u);
}

TEST(Watchdog, says_its_line_and_nothing_else) {
  Child child([&] {
    run::Watchdog watchdog(0.1, [] {});
    const auto watch = watchdog.watch(0.1, "point x hangs");
    sleep_ms(60000);
    return 0;
  });
  const run_test::Ended ended = child.wait();
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_EQ(ended.stderr_text, "point x hangs\n");
}

TEST(Watchdog, syncs_before_it_ends_the_process_and_ends_it_even_when_that_fails) {
  const run_test::Scratch scratch;
  Child child([&] {
    run::Watchdog watchdog(0.05, [&] {
      run_test::write_text(scratch / "synced", "yes");
      throw core::Error(3, "disk full");
    });
    const auto watch = watchdog.watch(0.05, "x");
    sleep_ms(60000);
    return 0;
  });
  EXPECT_EQ(child.wait().exit_code, 3);
  EXPECT_EQ(run_test::text_of(scratch / "synced"), "yes");
}

TEST(Watchdog, allows_twenty_times_what_was_expected) {
  const run_test::Scratch scratch;
  const auto exit_code_with_expectation = [&](double expected_seconds) {
    Child child([&] {
      run_test::FakeBackend backend;
      backend.hook = [](auto&&...) { sleep_ms(600); };
      std::filesystem::remove(scratch / "j");
      run::Journal journal(scratch / "j", run_test::identity());
      run::Options options = run_test::options();
      options.watchdog_seconds = 0.1;
      auto tasks = run_test::tasks(1, 1);
      tasks[0].expected_seconds = expected_seconds;
      return run::run(tasks, backend, journal, options).complete ? 0 : 1;
    });
    return child.wait().exit_code;
  };
  EXPECT_EQ(exit_code_with_expectation(0.001), 3);
  EXPECT_EQ(exit_code_with_expectation(0.5), 0);
}

TEST(Watchdog, watches_each_measurement_alone_and_not_their_sum) {
  Child child([] {
    run::Watchdog watchdog(0.6, [] {});
    for (int i = 0; i < 15; ++i) {
      const auto watch = watchdog.watch(0.6, "x");
      sleep_ms(100);
    }
    sleep_ms(1000);  // nothing is watched
    return 0;
  });
  EXPECT_EQ(child.wait().exit_code, 0);
}

TEST(Watchdog, does_not_count_the_time_in_which_the_process_was_stopped) {
  Child child([] {
    run::Watchdog watchdog(1, [] {});
    const auto watch = watchdog.watch(1, "x");
    for (int i = 0; i < 25; ++i) sleep_ms(10);
    return 0;
  });
  sleep_ms(80);
  child.send(SIGSTOP);
  sleep_ms(2500);
  child.send(SIGCONT);
  EXPECT_EQ(child.wait().exit_code, 0);
}

TEST(Watchdog, that_is_off_lets_a_measurement_take_its_time) {
  const run_test::Scratch scratch;
  Child child([&] {
    run_test::FakeBackend backend;
    backend.hook = [](auto&&...) { sleep_ms(300); };
    run::Journal journal(scratch / "j", run_test::identity());
    return run::run(run_test::tasks(1, 1), backend, journal, run_test::options()).complete ? 0 : 1;
  });
  EXPECT_EQ(child.wait().exit_code, 0);
}

}  // namespace
