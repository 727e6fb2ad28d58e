#include "run/journal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "child.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "fake_backend.hpp"
#include "run/journal_text.hpp"
#include "scratch.hpp"

namespace {

using run_test::error_of;
using run_test::identity;

core::Repetition repetition(int number) {
  return {.number = number,
          .started_utc = "2031-02-03T04:05:06.007Z",
          .samples = run_test::FakeBackend::samples_of("a", {.seed = 1, .repetition = number})};
}

TEST(Journal, gives_back_every_repetition_and_failure_exactly) {
  const run_test::Scratch scratch;
  {
    run::Journal journal(scratch / "j", identity());
    EXPECT_TRUE(journal.recorded().empty());
    journal.add("a", repetition(1));
    journal.add("b", repetition(0));
    journal.add("a", run::Failure{2, "the \"line\"\nwas lost"});
    journal.add("a", repetition(0));
  }
  const run::Journal journal = run::Journal::resume(scratch / "j", identity());
  ASSERT_EQ(journal.recorded().size(), 2u);
  const auto& a = journal.recorded().at("a");
  ASSERT_EQ(a.size(), 2u);
  EXPECT_EQ(a[0].number, 1);
  EXPECT_EQ(a[0].started_utc, "2031-02-03T04:05:06.007Z");
  EXPECT_EQ(a[0].samples, repetition(1).samples);
  EXPECT_EQ(a[1].samples, repetition(0).samples);
  EXPECT_EQ(journal.failures().at("a"), (std::vector<run::Failure>{{2, "the \"line\"\nwas lost"}}));
}

TEST(Journal, is_on_disk_line_by_line_before_it_is_closed) {
  const run_test::Scratch scratch;
  run::Journal journal(scratch / "j", identity());
  EXPECT_EQ(run_test::text_of(scratch / "j"), run::identity_line(identity()));
  journal.add("a", repetition(0));
  EXPECT_EQ(run_test::text_of(scratch / "j"),
            run::identity_line(identity()) + run::repetition_line("a", repetition(0)));
}

TEST(Journal, keeps_what_is_no_number_and_no_utf8) {
  const run_test::Scratch scratch;
  core::Repetition odd = repetition(0);
  odd.samples.metrics[0].value = std::numeric_limits<double>::quiet_NaN();
  odd.samples.checks[0].detail = "bad byte \xff here";
  {
    run::Journal journal(scratch / "j", identity());
    journal.add("a", odd);
  }
  const run::Journal journal = run::Journal::resume(scratch / "j", identity());
  const core::Samples& samples = journal.recorded().at("a")[0].samples;
  EXPECT_TRUE(std::isnan(samples.metrics[0].value));
  EXPECT_EQ(samples.checks[0].detail, "bad byte \xef\xbf\xbd here");
  EXPECT_EQ(samples.columns, odd.samples.columns);
}

TEST(Journal, of_another_experiment_is_refused_by_every_field_that_differs) {
  const run_test::Scratch scratch;
  { run::Journal journal(scratch / "j", identity()); }
  const std::vector<std::pair<std::string, std::function<void(run::Identity&)>>> changes{
      {"the device's UUID was 'GPU-1', is 'GPU-2'", [](auto& i) { i.device_uuid = "GPU-2"; }},
      {"the device was 'Fake', is 'H'", [](auto& i) { i.device = "H"; }},
      {"the driver was '1.2', is '1.3'", [](auto& i) { i.driver = "1.3"; }},
      {"the configuration's hash was 'c0', is 'c1'", [](auto& i) { i.config_sha256 = "c1"; }},
      {"the hash of the program's machine code was 'a0', is ''",
       [](auto& i) { i.machine_code_sha256 = ""; }},
      {"the seed was '7', is '8'", [](auto& i) { i.seed = 8; }}};
  run::Identity all = identity();
  std::vector<std::string> expected;
  const auto refused = [&](const run::Identity& other) {
    const auto [text, code] = error_of([&] { run::Journal::resume(scratch / "j", other); });
    EXPECT_EQ(code, 3);
    return text;
  };
  for (const auto& [text, change] : changes) {
    run::Identity one = identity();
    change(one);
    change(all);
    const std::string said = refused(one);
    EXPECT_TRUE(said.ends_with(": " + text)) << said;
  }
  for (const auto& [text, change] : changes)
    EXPECT_NE(refused(all).find(text), std::string::npos) << text;
  EXPECT_NO_THROW(run::Journal::resume(scratch / "j", identity()));
}

TEST(Journal, of_another_configuration_is_refused_by_the_keys_that_differ) {
  run::Identity was = identity();
  was.config_text =
      "seed: 7\nrepetitions: 3\nmax_minutes: 0\nstanzas:\n"
      "  - probe: latency/global\n    footprint: [4KiB, 8KiB]\n"
      "  - probe: bandwidth/global\n    operation: read\n";
  const auto said = [&](const std::string& from, const std::string& to) {
    run::Identity is = was;
    is.config_sha256 = "c1";
    is.config_text.replace(is.config_text.find(from), from.size(), to);
    return run::differences(was, is);
  };
  EXPECT_EQ(said("repetitions: 3", "repetitions: 4"),
            "the configuration: repetitions was '3', is '4'");
  EXPECT_EQ(said("max_minutes: 0", "max_minutes: 2.5"),
            "the configuration: max_minutes was '0', is '2.5'");
  EXPECT_EQ(said("8KiB]", "9KiB]"),
            "the configuration: stanzas.0.footprint was '[4KiB, 8KiB]', is '[4KiB, 9KiB]'");
  EXPECT_EQ(said("    operation: read\n", ""),
            "the configuration: stanzas.1.operation was 'read', is not there");
  EXPECT_EQ(said("operation: read\n", "operation: read\n    threads: 1\n"),
            "the configuration: stanzas.1.threads was not there, is '1'");
  EXPECT_LT(said("[4KiB, 8KiB]", std::string(1000, '1')).size(), 200u);
  EXPECT_EQ(said("seed: 7", "seed: 8"), "the configuration: seed was '7', is '8'");
  const run_test::Scratch scratch;  // and all that survives the file
  { run::Journal journal(scratch / "j", was); }
  run::Identity is = was;
  is.config_sha256 = "c1";
  is.config_text = "seed: 7\n";
  EXPECT_NE(error_of([&] { run::Journal::resume(scratch / "j", is); }).first.find("and 2 more"),
            std::string::npos);
}

TEST(Journal, that_holds_measurements_or_is_some_other_file_is_not_overwritten) {
  const run_test::Scratch scratch;
  { run::Journal(scratch / "j", identity()).add("a", repetition(0)); }
  run_test::write_text(scratch / "letter", "Dear reader,\n");
  for (const std::string name : {"j", "letter"}) {
    const std::string before = run_test::text_of(scratch / name);
    EXPECT_EQ(error_of([&] { run::Journal(scratch / name, identity()); }).second, 3);
    EXPECT_EQ(run_test::text_of(scratch / name), before);
  }
}

TEST(Journal, without_a_measurement_makes_way_for_a_new_one) {
  const run_test::Scratch scratch;
  run_test::write_text(scratch / "empty", "");
  { run::Journal(scratch / "only_identity", identity()); }
  for (const std::string name : {"empty", "only_identity"}) {
    run::Identity other = identity();
    other.seed = 99;
    { run::Journal(scratch / name, other); }
    EXPECT_EQ(run_test::text_of(scratch / name), run::identity_line(other));
  }
}

TEST(Journal, belongs_to_one_process_at_a_time) {
  const run_test::Scratch scratch;
  run::Journal journal(scratch / "j", identity());
  run_test::Child child([&] {
    const auto resumed = error_of([&] { run::Journal::resume(scratch / "j", identity()); });
    const auto started = error_of([&] { run::Journal(scratch / "j", identity()); });
    const bool said = resumed.first.find("in use") != std::string::npos &&
                      started.first.find("in use") != std::string::npos;
    return said && resumed.second == 3 && started.second == 3 ? 0 : 1;
  });
  EXPECT_EQ(child.wait().exit_code, 0);
}

TEST(Journal, that_cannot_be_made_or_written_says_why_with_exit_code_3) {
  const run_test::Scratch scratch;
  const auto [missing, missing_code] =
      error_of([&] { run::Journal(scratch / "no/such/folder", identity()); });
  EXPECT_EQ(missing_code, 3);
  EXPECT_NE(missing.find("No such file or directory"), std::string::npos);
  const auto [full, full_code] = error_of([&] { run::Journal("/dev/full", identity()); });
  EXPECT_EQ(full_code, 3);
  EXPECT_NE(full.find("No space left on device"), std::string::npos);
}

TEST(Journal, to_resume_must_be_a_journal) {
  const run_test::Scratch scratch;
  run_test::write_text(scratch / "yaml", "seed: 1\n");
  run_test::write_text(scratch / "one_line", "{\"id\":");
  run_test::write_text(scratch / "json", "{\"a\":1}\n");
  std::string newer = run::identity_line(identity());
  newer.replace(newer.find(":1,"), 3, ":2,");
  run_test::write_text(scratch / "newer", newer);
  run_test::write_text(scratch / "fields", "{\"journal_version\":1,\"device\":\"x\"}\n");
  for (const std::string name : {"yaml", "one_line", "json", "fields", "newer", "missing", ""}) {
    const auto [text, code] = error_of([&] { run::Journal::resume(scratch / name, identity()); });
    EXPECT_EQ(code, 64) << name;
    EXPECT_NE(text.find((scratch / name).string()), std::string::npos) << text;
  }
  EXPECT_EQ(run_test::text_of(scratch / "yaml"), "seed: 1\n");
  EXPECT_NE(error_of([&] {
              run::Journal::resume(scratch / "newer", identity());
            }).first.find("version 2; this program reads 1"),
            std::string::npos);
  EXPECT_EQ(error_of([&] { run::Journal::resume("/dev/full", identity()); }).second, 64);
}

}  // namespace
