#include "run/runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "child.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "fake_backend.hpp"
#include "run/journal_text.hpp"
#include "scratch.hpp"
#include "stats/summary.hpp"

namespace {

using run_test::FakeBackend;
using run_test::tasks;

struct Run : testing::Test {
  run_test::Scratch scratch;
  FakeBackend backend;
  run::Options options = run_test::options();

  run::Outcome run(const std::vector<run::Task>& all, const std::string& name = "j") {
    run::Journal journal(scratch / name, run_test::identity());
    return run::run(all, backend, journal, options);
  }
};

TEST_F(Run, measures_every_repetition_of_every_point_and_gives_them_back_in_plan_order) {
  const run::Outcome outcome = run(tasks(5, 3));
  EXPECT_TRUE(outcome.complete);
  EXPECT_FALSE(outcome.interrupted);
  EXPECT_EQ(outcome.incomplete_reason, "");
  EXPECT_EQ(outcome.journal_error, "");
  EXPECT_EQ(outcome.warm_up, "steady at once");
  ASSERT_EQ(outcome.measurements.size(), 5u);
  for (int i = 0; i < 5; ++i) {
    const core::Measurement& one = outcome.measurements[i];
    EXPECT_EQ(one.point, run_test::point(128 * (i + 1)));
    EXPECT_EQ(one.answers, "level_latency");
    EXPECT_EQ(one.method, "a chase");
    EXPECT_EQ(one.status, core::Status::ok);
    EXPECT_EQ(one.reason, "");
    ASSERT_EQ(one.repetitions.size(), 3u);
    for (int r = 0; r < 3; ++r) {
      EXPECT_EQ(one.repetitions[r].number, r);
      EXPECT_EQ(one.repetitions[r].samples,
                FakeBackend::samples_of(one.point.id(), {.seed = 7, .repetition = r}));
      EXPECT_EQ(one.repetitions[r].started_utc.size(), 24u);
    }
    EXPECT_EQ(one.summary, stats::summarize(one.repetitions));
    ASSERT_EQ(one.summary.size(), 2u);
    EXPECT_EQ(one.summary[0].n, 3);
  }
}

TEST_F(Run, calls_the_backend_in_the_order_of_the_seed) {
  const auto all = tasks(8, 3);
  run(all);
  const auto order = run::order(all, 7);
  ASSERT_EQ(backend.calls.size(), order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    EXPECT_EQ(backend.calls[k], std::pair(all[order[k].first].point.id(), order[k].second));
}

TEST_F(Run, prepares_once_with_the_memory_of_the_largest_point_that_is_not_skipped) {
  auto all = tasks(5, 1);
  all[4].skip_reason = "too large";
  run(all);
  EXPECT_EQ(backend.prepared_bytes, std::vector<std::int64_t>{128 * 4 + 1000});
}

TEST_F(Run, writes_to_the_journal_what_it_gives_back) {
  const run::Outcome outcome = run(tasks(4, 2));
  const auto text = run::parse_journal(run_test::text_of(scratch / "j"), "j");
  EXPECT_EQ(text.recorded.size(), 4u);
  for (const core::Measurement& one : outcome.measurements) {
    auto recorded = text.recorded.at(one.point.id());
    std::ranges::sort(recorded, {}, &core::Repetition::number);
    ASSERT_EQ(recorded.size(), one.repetitions.size());
    for (std::size_t r = 0; r < recorded.size(); ++r) {
      EXPECT_EQ(recorded[r].number, one.repetitions[r].number);
      EXPECT_EQ(recorded[r].started_utc, one.repetitions[r].started_utc);
      EXPECT_EQ(recorded[r].samples, one.repetitions[r].samples);
    }
  }
}

TEST_F(Run, has_each_repetition_on_disk_before_the_next_one_starts) {
  std::size_t before = 0;
  backend.hook = [&](auto&&...) {
    const auto text = run::parse_journal(run_test::text_of(scratch / "j"), "j");
    std::size_t lines = 0;
    for (const auto& [id, all] : text.recorded) lines += all.size();
    EXPECT_EQ(lines, before++);
  };
  run(tasks(3, 2));
  EXPECT_EQ(before, 6u);
}

TEST_F(Run, hands_seed_repetition_and_evidence_to_the_backend) {
  options.seed = 99;
  options.evidence.counters = true;
  int seen = 0;
  backend.hook = [&](const core::Point&, const core::Trial& trial, core::Samples&) {
    EXPECT_EQ(trial.seed, 99u);
    EXPECT_TRUE(trial.evidence.counters);
    ++seen;
  };
  run(tasks(2, 1));
  EXPECT_EQ(seen, 2);
}

TEST_F(Run, reports_skipped_points_with_their_reason_and_never_measures_them) {
  auto all = tasks(3, 2);
  all[1].skip_reason = "no cluster launch on this device";
  const run::Outcome outcome = run(all);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.measurements[1].status, core::Status::skipped);
  EXPECT_EQ(outcome.measurements[1].reason, "no cluster launch on this device");
  EXPECT_TRUE(outcome.measurements[1].repetitions.empty());
  EXPECT_EQ(backend.calls.size(), 4u);
}

TEST_F(Run, of_nothing_but_skipped_points_leaves_the_device_alone) {
  auto all = tasks(1, 2);
  all[0].skip_reason = "x";
  EXPECT_TRUE(run(all).complete);
  EXPECT_TRUE(run({}, "k").complete);
  EXPECT_TRUE(backend.prepared_bytes.empty());
}

TEST_F(Run, shows_progress_from_the_first_point_to_the_last) {
  std::vector<run::Progress> seen;
  options.on_progress = [&](const run::Progress& progress) { seen.push_back(progress); };
  backend.hook = [](auto&&...) { run_test::sleep_ms(2); };
  auto all = tasks(4, 2);
  for (auto& task : all) task.expected_seconds = 10;  // far more than it will be
  run(all);
  ASSERT_EQ(seen.size(), 9u);
  EXPECT_EQ(seen[0].id, backend.calls[0].first);
  EXPECT_EQ(seen[0].done, 0u);
  EXPECT_NEAR(seen[0].remaining_seconds, 80, 1e-6);
  for (std::size_t k = 0; k < seen.size(); ++k) {
    EXPECT_EQ(seen[k].done, k);
    EXPECT_EQ(seen[k].total, 8u);
    if (k > 0) {
      EXPECT_LT(seen[k].remaining_seconds, seen[k - 1].remaining_seconds);
      EXPECT_GT(seen[k].elapsed_seconds, seen[k - 1].elapsed_seconds);
    }
  }
  EXPECT_EQ(seen[8].remaining_seconds, 0);
}

TEST_F(Run, loses_nothing_when_progress_cannot_be_shown) {
  int shown = 0;
  options.on_progress = [&](const run::Progress&) {
    if (++shown == 2) throw std::runtime_error("terminal gone");
  };
  const run::Outcome outcome = run(tasks(3, 1));
  for (const auto& one : outcome.measurements) EXPECT_EQ(one.status, core::Status::ok);
  EXPECT_EQ(shown, 2);
}

TEST_F(Run, ends_with_what_was_measured_when_interrupted) {
  options.interrupted = [&] { return backend.calls.size() >= 5; };
  const run::Outcome outcome = run(tasks(4, 3));
  EXPECT_EQ(backend.calls.size(), 5u);
  EXPECT_FALSE(outcome.complete);
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(outcome.incomplete_reason, "interrupted after 5 of 12 measurements");
  std::size_t repetitions = 0;
  for (const auto& one : outcome.measurements) {
    EXPECT_EQ(one.status, core::Status::ok);  // each had its first repetition
    repetitions += one.repetitions.size();
  }
  EXPECT_EQ(repetitions, 5u);
}

TEST_F(Run, interrupted_early_says_of_every_other_point_that_it_was_not_measured) {
  options.interrupted = [&] { return backend.calls.size() >= 1; };
  const run::Outcome outcome = run(tasks(3, 2));
  int measured = 0;
  for (const auto& one : outcome.measurements) {
    measured += one.status == core::Status::ok;
    if (one.status == core::Status::ok) continue;
    EXPECT_EQ(one.status, core::Status::failed);
    EXPECT_EQ(one.reason, "not measured: interrupted");
    EXPECT_TRUE(one.summary.empty());
  }
  EXPECT_EQ(measured, 1);
}

TEST_F(Run, interrupted_before_it_starts_does_not_touch_the_device) {
  options.interrupted = [] { return true; };
  const run::Outcome outcome = run(tasks(2, 1));
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_TRUE(backend.prepared_bytes.empty());
  EXPECT_EQ(outcome.measurements[0].reason, "not measured: interrupted");
}

TEST_F(Run, stops_at_its_deadline_as_incomplete_but_not_interrupted) {
  options.deadline_seconds = 0.3;
  backend.hook = [](auto&&...) { run_test::sleep_ms(100); };
  const run::Outcome outcome = run(tasks(50, 1));
  EXPECT_FALSE(outcome.complete);
  EXPECT_FALSE(outcome.interrupted);
  const std::string limit = "time limit of " + core::format_seconds(0.3);
  EXPECT_GE(backend.calls.size(), 1u);
  EXPECT_LE(backend.calls.size(), 4u);
  EXPECT_TRUE(outcome.incomplete_reason.starts_with(limit + " after "))
      << outcome.incomplete_reason;
  int not_measured = 0;
  for (const auto& one : outcome.measurements)
    not_measured += one.reason == "not measured: " + limit;
  EXPECT_EQ(not_measured, 50 - static_cast<int>(backend.calls.size()));
}

TEST_F(Run, passes_on_that_the_device_is_not_there) {
  struct Absent : FakeBackend {
    std::string prepare(std::int64_t) override { throw core::UnavailableError("no device"); }
  } absent;
  run::Journal journal(scratch / "j", run_test::identity());
  EXPECT_THROW(run::run(tasks(1, 1), absent, journal, options), core::UnavailableError);
}

}  // namespace
