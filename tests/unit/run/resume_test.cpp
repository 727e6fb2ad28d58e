#include <gtest/gtest.h>

#include <algorithm>

#include "child.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "fake_backend.hpp"
#include "run/journal_text.hpp"
#include "run/runner.hpp"
#include "scratch.hpp"

namespace {

using run_test::FakeBackend;
using run_test::identity;
using run_test::tasks;

// Everything but the times of day.
std::string as_text(run::Outcome outcome) {
  std::string text;
  for (core::Measurement& one : outcome.measurements) {
    for (core::Repetition& repetition : one.repetitions) repetition.started_utc = "";
    text += core::to_json(one).dump() + "\n";
  }
  return text;
}

struct Resume : testing::Test {
  run_test::Scratch scratch;
  run::Options options = run_test::options();

  run::Outcome start(FakeBackend& backend, const std::vector<run::Task>& all) {
    run::Journal journal(scratch / "j", identity());
    return run::run(all, backend, journal, options);
  }
  run::Outcome resume(FakeBackend& backend, const std::vector<run::Task>& all) {
    run::Journal journal = run::Journal::resume(scratch / "j", identity());
    return run::run(all, backend, journal, options);
  }
};

TEST_F(Resume, of_a_run_stopped_anywhere_does_exactly_the_rest_and_ends_with_the_same) {
  const auto all = tasks(4, 3);
  FakeBackend whole;
  std::string expected;
  {
    run::Journal journal(scratch / "whole", identity());
    expected = as_text(run::run(all, whole, journal, options));
  }
  ASSERT_EQ(whole.calls.size(), 12u);
  for (std::size_t stop = 0; stop <= 12; ++stop) {
    FakeBackend first, second;
    options.interrupted = [&] { return first.calls.size() >= stop; };
    std::filesystem::remove(scratch / "j");
    start(first, all);
    options.interrupted = {};
    const run::Outcome outcome = resume(second, all);
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(as_text(outcome), expected) << stop;
    auto both = first.calls;
    both.insert(both.end(), second.calls.begin(), second.calls.end());
    EXPECT_EQ(both, whole.calls) << stop;  // nothing twice, nothing left out, the same order
  }
}

TEST_F(Resume, of_a_process_killed_in_mid_run_ends_with_the_same) {
  const auto all = tasks(6, 4);
  run_test::Child child([&] {
    FakeBackend backend;
    backend.hook = [](auto&&...) { run_test::sleep_ms(10); };
    start(backend, all);
    return 0;
  });
  EXPECT_TRUE(run_test::wait_until([&] {
    const std::string text = run_test::text_of(scratch / "j");
    return std::ranges::count(text, '\n') > 5;
  }));
  child.send(SIGKILL);
  ASSERT_EQ(child.wait().signal, SIGKILL);
  FakeBackend rest, whole;
  const run::Outcome outcome = resume(rest, all);
  EXPECT_LE(rest.calls.size(), 19u);
  EXPECT_GE(rest.calls.size(), 1u);
  run::Journal journal(scratch / "whole", identity());
  EXPECT_EQ(as_text(outcome), as_text(run::run(all, whole, journal, options)));
}

TEST_F(Resume, of_a_finished_run_measures_nothing_and_leaves_the_device_alone) {
  FakeBackend first, second;
  const std::string expected = as_text(start(first, tasks(3, 2)));
  EXPECT_EQ(as_text(resume(second, tasks(3, 2))), expected);
  EXPECT_TRUE(second.calls.empty());
  EXPECT_TRUE(second.prepared_bytes.empty());
}

TEST_F(Resume, prepares_for_the_whole_plan_so_that_placement_stays) {
  const auto all = tasks(3, 2);
  FakeBackend first, second;
  // Only the smallest point is left.
  first.hook = [](const core::Point& point, auto&&...) {
    if (point == run_test::point(128)) throw core::MeasureError("busy");
  };
  start(first, all);
  resume(second, all);
  EXPECT_EQ(second.prepared_bytes, first.prepared_bytes);
}

TEST_F(Resume, tries_failed_repetitions_again_and_only_these) {
  const auto all = tasks(3, 2);
  FakeBackend first, second;
  first.hook = [](const core::Point& point, const core::Trial& trial, core::Samples&) {
    if (point == run_test::point(256) && trial.repetition == 0) throw core::MeasureError("busy");
  };
  const run::Outcome failed = start(first, all);
  EXPECT_EQ(failed.measurements[1].status, core::Status::failed);
  EXPECT_TRUE(failed.notes.empty());
  const run::Outcome outcome = resume(second, all);
  EXPECT_EQ(outcome.notes, (std::vector<std::string>{run_test::point(256).id() +
                                                     " failed before the resume: busy"}));
  EXPECT_EQ(second.calls,
            (std::vector<std::pair<std::string, int>>{{run_test::point(256).id(), 0}}));
  EXPECT_EQ(outcome.measurements[1].status, core::Status::ok);
  const auto& repetitions = outcome.measurements[1].repetitions;
  ASSERT_EQ(repetitions.size(), 2u);
  EXPECT_EQ(repetitions[0].number, 0);  // measured last, and first all the same
  EXPECT_EQ(repetitions[1].number, 1);
}

TEST_F(Resume, does_not_wash_a_failed_check_clean) {
  const auto all = tasks(2, 2);
  FakeBackend first, second;
  first.hook = [](const core::Point& point, const core::Trial& trial, core::Samples& samples) {
    if (point == run_test::point(128) && trial.repetition == 0)
      samples.checks[0] = {"final index", core::Verdict::fail, "5, not 6"};
  };
  const std::string expected = as_text(start(first, all));
  const run::Outcome outcome = resume(second, all);
  EXPECT_EQ(outcome.measurements[0].status, core::Status::failed);
  EXPECT_EQ(as_text(outcome), expected);
  EXPECT_TRUE(second.calls.empty());
}

TEST_F(Resume, after_a_lost_device_completes_the_run) {
  const auto all = tasks(4, 2);
  FakeBackend first, second, whole;
  first.hook = [&](auto&&...) {
    if (first.calls.size() == 4) throw core::DeviceLostError("gone");
  };
  EXPECT_FALSE(start(first, all).complete);
  const run::Outcome outcome = resume(second, all);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(second.calls.size(), 5u);
  run::Journal journal(scratch / "whole", identity());
  EXPECT_EQ(as_text(outcome), as_text(run::run(all, whole, journal, options)));
}

TEST_F(Resume, keeps_what_was_measured_of_points_that_are_skipped_now) {
  auto all = tasks(2, 2);
  FakeBackend first, second;
  first.hook = [](const core::Point& point, const core::Trial& trial, core::Samples&) {
    if (point == run_test::point(256) && trial.repetition == 1) throw core::MeasureError("busy");
  };
  start(first, all);
  for (auto& task : all) task.skip_reason = "memory taken by others";
  const run::Outcome outcome = resume(second, all);
  EXPECT_EQ(outcome.measurements[0].status, core::Status::ok);  // it is all there
  EXPECT_EQ(outcome.measurements[1].status, core::Status::ok);
  EXPECT_EQ(outcome.measurements[1].repetitions.size(), 1u);
  ASSERT_EQ(outcome.notes.size(), 2u);
  EXPECT_NE(outcome.notes[0].find("1 of 2 repetitions"), std::string::npos) << outcome.notes[0];
}

TEST_F(Resume, counts_what_was_there_as_done) {
  const auto all = tasks(3, 2);
  FakeBackend first, second;
  options.interrupted = [&] { return first.calls.size() >= 4; };
  start(first, all);
  options.interrupted = {};
  std::vector<std::size_t> done;
  options.on_progress = [&](const run::Progress& p) {
    EXPECT_EQ(p.total, 6u);
    done.push_back(p.done);
  };
  resume(second, all);
  EXPECT_EQ(done, (std::vector<std::size_t>{4, 5, 6}));
}

}  // namespace
