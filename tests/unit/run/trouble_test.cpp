#include <fcntl.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/error.hpp"
#include "fake_backend.hpp"
#include "model/backend.hpp"
#include "model/faults.hpp"
#include "run/journal_text.hpp"
#include "run/runner.hpp"
#include "scratch.hpp"
#include "stats/summary.hpp"

namespace {

using core::Status;
using run_test::FakeBackend;
using run_test::tasks;

struct Trouble : testing::Test {
  run_test::Scratch scratch;
  FakeBackend backend;
  run::Options options = run_test::options();

  run::Outcome run(const std::vector<run::Task>& all) {
    run::Journal journal(scratch / "j", run_test::identity());
    return run::run(all, backend, journal, options);
  }
  run::JournalText journal() { return run::parse_journal(run_test::text_of(scratch / "j"), "j"); }
};

TEST_F(Trouble, in_one_repetition_fails_the_point_with_the_first_reason_and_keeps_the_others) {
  const std::string bad = run_test::point(256).id();
  backend.hook = [&](const core::Point& point, const core::Trial& trial, core::Samples&) {
    if (point.id() == bad && (trial.repetition == 1 || trial.repetition == 3))
      throw core::MeasureError("no " + std::to_string(trial.repetition));
  };
  const run::Outcome outcome = run(tasks(3, 5));
  EXPECT_TRUE(outcome.complete);
  const core::Measurement& one = outcome.measurements[1];
  EXPECT_EQ(one.status, Status::failed);
  EXPECT_EQ(one.reason, "no 1");
  ASSERT_EQ(one.repetitions.size(), 3u);
  EXPECT_EQ(one.repetitions[0].number, 0);
  EXPECT_EQ(one.repetitions[1].number, 2);
  EXPECT_EQ(one.repetitions[2].number, 4);
  EXPECT_EQ(one.summary, stats::summarize(one.repetitions));
  EXPECT_EQ(outcome.measurements[0].status, Status::ok);
  EXPECT_EQ(outcome.measurements[2].status, Status::ok);
  EXPECT_EQ(journal().failures.at(bad), (std::vector<run::Failure>{{1, "no 1"}, {3, "no 3"}}));
}

TEST_F(Trouble, of_any_type_becomes_a_reason_and_never_ends_the_run) {
  backend.hook = [&](const core::Point& point, const core::Trial&, core::Samples&) {
    if (point == run_test::point(128)) throw std::out_of_range("axis 'x' is missing");
    if (point == run_test::point(256)) throw 7;
    if (point == run_test::point(384)) throw std::bad_alloc();
  };
  const run::Outcome outcome = run(tasks(4, 1));
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.measurements[0].reason, "axis 'x' is missing");
  EXPECT_EQ(outcome.measurements[1].reason, "something was thrown that is no std::exception");
  EXPECT_EQ(outcome.measurements[2].status, Status::failed);
  EXPECT_EQ(outcome.measurements[3].status, Status::ok);
}

TEST_F(Trouble, that_makes_a_point_impossible_here_skips_it_and_its_other_repetitions) {
  backend.hook = [&](const core::Point& point, const core::Trial&, core::Samples&) {
    if (point == run_test::point(256)) throw core::SkipError("memory taken by others");
  };
  const run::Outcome outcome = run(tasks(3, 4));
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.measurements[1].status, Status::skipped);
  EXPECT_EQ(outcome.measurements[1].reason, "memory taken by others");
  EXPECT_EQ(backend.calls.size(), 9u);  // 4 + 1 + 4
}

TEST_F(Trouble, that_makes_a_point_impossible_late_keeps_what_was_measured_of_it) {
  backend.hook = [&](const core::Point& point, const core::Trial& trial, core::Samples&) {
    if (point == run_test::point(256) && trial.repetition == 2)
      throw core::SkipError("memory taken by others");
  };
  const run::Outcome outcome = run(tasks(3, 4));
  const core::Measurement& one = outcome.measurements[1];
  EXPECT_EQ(one.status, Status::ok);
  ASSERT_EQ(one.repetitions.size(), 2u);
  EXPECT_EQ(one.summary.at(0).n, 2);
  EXPECT_EQ(outcome.notes,
            (std::vector<std::string>{one.point.id() + " has 2 of 4 repetitions, the others were "
                                                       "skipped: memory taken by others"}));
}

TEST_F(Trouble, found_by_a_check_fails_the_point_and_keeps_the_samples) {
  backend.hook = [&](const core::Point& point, const core::Trial& trial, core::Samples& samples) {
    if (point == run_test::point(128) && trial.repetition == 1)
      samples.checks.push_back({"poison", core::Verdict::fail, "3 of 4096 bytes untouched"});
    if (point == run_test::point(256))
      samples.checks.push_back({"counters", core::Verdict::not_available, "no permission"});
  };
  const run::Outcome outcome = run(tasks(2, 3));
  EXPECT_EQ(outcome.measurements[0].status, Status::failed);
  EXPECT_EQ(outcome.measurements[0].reason, "check 'poison' failed: 3 of 4096 bytes untouched");
  EXPECT_EQ(outcome.measurements[0].repetitions.size(), 3u);
  EXPECT_EQ(outcome.measurements[1].status, Status::ok);
}

TEST_F(Trouble, of_a_lost_device_fails_all_that_remains_with_the_first_reason) {
  int measured = 0;
  backend.hook = [&](auto&&...) {
    if (measured++ == 5) throw core::DeviceLostError("sticky error 719");
    ASSERT_LE(measured, 5) << "a lost device was asked again";
  };
  const run::Outcome outcome = run(tasks(4, 2));
  EXPECT_FALSE(outcome.complete);
  EXPECT_FALSE(outcome.interrupted);
  EXPECT_EQ(outcome.incomplete_reason, "device lost: sticky error 719 after 6 of 8 measurements");
  int ok = 0;
  std::size_t repetitions = 0;
  for (const auto& one : outcome.measurements) {
    repetitions += one.repetitions.size();
    ok += one.status == Status::ok;
    if (one.status == Status::ok) {
      EXPECT_EQ(one.repetitions.size(), 2u);
    } else {
      EXPECT_EQ(one.status, Status::failed);
      EXPECT_EQ(one.reason, "sticky error 719");
      EXPECT_EQ(one.repetitions.size(), 1u);
    }
  }
  EXPECT_EQ(ok, 1);
  EXPECT_EQ(repetitions, 5u);
}

TEST_F(Trouble, of_a_device_lost_while_preparing_fails_everything) {
  struct Lost : FakeBackend {
    std::string prepare(std::int64_t) override { throw core::DeviceLostError("fell off the bus"); }
  } lost;
  run::Journal journal(scratch / "j", run_test::identity());
  const run::Outcome outcome = run::run(tasks(2, 1), lost, journal, options);
  EXPECT_FALSE(outcome.complete);
  for (const auto& one : outcome.measurements) {
    EXPECT_EQ(one.status, Status::failed);
    EXPECT_EQ(one.reason, "fell off the bus");
  }
}

TEST_F(Trouble, with_a_full_disk_costs_the_journal_and_not_the_measurements) {
  run::Journal journal(scratch / "j", run_test::identity());
  backend.hook = [&](auto&&...) {
    if (backend.calls.size() != 3) return;
    const int full = ::open("/dev/full", O_RDWR);
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code ignored;
      if (std::filesystem::read_symlink(entry.path(), ignored) == scratch / "j")
        ::dup2(full, std::stoi(entry.path().filename()));
    }
    ::close(full);
  };
  const run::Outcome outcome = run::run(tasks(3, 2), backend, journal, options);
  EXPECT_NE(outcome.journal_error.find("No space left on device"), std::string::npos)
      << outcome.journal_error;
  for (const auto& one : outcome.measurements) {
    EXPECT_EQ(one.status, Status::ok);
    EXPECT_EQ(one.repetitions.size(), 2u);
  }
  std::size_t recorded = 0;
  for (const auto& [id, all] : this->journal().recorded) recorded += all.size();
  EXPECT_EQ(recorded, 2u);
}

// The model measures for real what its probes declare; faults are injected between it and the run.
struct Model : testing::Test {
  run_test::Scratch scratch;
  run::Outcome run(model::Faults faults) {
    auto backend = model::with_faults(model::make_backend(), std::move(faults));
    specs = backend->probes();
    std::vector<run::Task> all;
    for (const core::ProbeSpec& spec : specs)
      if (spec.name == "latency/global")
        for (std::int64_t bytes = 4096; bytes <= (1 << 24); bytes *= 4)
          all.push_back({.point = {spec.name, {{"footprint", "bytes", bytes}}},
                         .spec = &spec,
                         .repetitions = 3});
    EXPECT_EQ(all.size(), 7u);
    run::Journal journal(scratch / "j", run_test::identity());
    return run::run(all, *backend, journal, {.seed = 3});
  }
  std::vector<core::ProbeSpec> specs;
};

TEST_F(Model, in_good_order_is_measured_whole) {
  for (const auto& one : run({}).measurements) {
    EXPECT_EQ(one.status, Status::ok) << one.reason;
    EXPECT_EQ(one.repetitions.size(), 3u);
    EXPECT_NE(one.estimate("latency", "cycles"), nullptr);
  }
}

TEST_F(Model, that_is_lost_fails_and_lies_is_reported_point_by_point) {
  const run::Outcome outcome = run({.lost_after = 12,
                                    .fail = {"footprint_bytes:4096$"},
                                    .skip = {"footprint_bytes:16384$"},
                                    .check = {"footprint_bytes:65536$"}});
  EXPECT_FALSE(outcome.complete);
  EXPECT_EQ(outcome.measurements[0].reason, "injected: this point fails");
  EXPECT_EQ(outcome.measurements[1].status, Status::skipped);
  EXPECT_EQ(outcome.measurements[2].reason,
            "check 'final index' failed: injected: ended elsewhere");
  std::size_t repetitions = 0;
  for (const auto& one : outcome.measurements) repetitions += one.repetitions.size();
  EXPECT_EQ(repetitions, 12u);
  EXPECT_EQ(outcome.incomplete_reason.find("device lost: injected: the device is lost after "), 0u);
}

}  // namespace
