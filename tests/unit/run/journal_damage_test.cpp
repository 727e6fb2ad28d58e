#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <stdexcept>

#include "child.hpp"
#include "core/error.hpp"
#include "fake_backend.hpp"
#include "run/journal.hpp"
#include "run/journal_text.hpp"
#include "scratch.hpp"

namespace {

using run_test::error_of;
using run_test::identity;

// Short, so that every byte of a journal can be tried.
core::Repetition repetition(int number) {
  return {.number = number,
          .started_utc = "t",
          .samples = {.metrics = {{"latency", "ns", 1.0 / (3 + number)}}}};
}

// A whole journal of three repetitions and a failure.
std::string small_journal() {
  return run::identity_line(identity()) + run::repetition_line("a", repetition(0)) +
         run::failure_line("b", {0, "gone"}) + run::repetition_line("b", repetition(1)) +
         run::repetition_line("a", repetition(1));
}

std::size_t repetitions_in(const run::Journal& journal) {
  std::size_t count = 0;
  for (const auto& [id, all] : journal.recorded()) count += all.size();
  return count;
}

// What the recorded repetitions of a text must be: its whole lines, less identity and failure.
std::size_t whole_repetitions(const std::string& text) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  return lines < 2 ? 0 : lines < 3 ? 1 : lines - 2;
}

TEST(JournalDamage, cut_at_any_byte_resumes_with_every_whole_line_and_can_be_continued) {
  const run_test::Scratch scratch;
  const std::string whole = small_journal();
  for (std::size_t bytes = 0; bytes <= whole.size(); ++bytes) {
    const std::string cut = whole.substr(0, bytes);
    run_test::write_text(scratch / "j", cut);
    {
      run::Journal journal = run::Journal::resume(scratch / "j", identity());
      ASSERT_EQ(repetitions_in(journal), whole_repetitions(cut)) << bytes;
      journal.add("c", repetition(5));
    }
    const run::Journal again = run::Journal::resume(scratch / "j", identity());
    ASSERT_EQ(repetitions_in(again), whole_repetitions(cut) + 1) << bytes;
    ASSERT_EQ(again.recorded().at("c")[0].samples, repetition(5).samples);
  }
}

TEST(JournalDamage, in_the_middle_is_refused_with_its_line_and_the_file_left_alone) {
  const run_test::Scratch scratch;
  const std::string good = run::repetition_line("z", repetition(0));
  for (const std::string bad :
       {"garbage", "[1]", "{\"number\":1}", "{\"id\":\"a\",\"number\":1}", "{\"id\":3}", "",
        "{\"id\":\"a\",\"failed\":1,\"number\":0}", "{\"id\":\"a\",\"failed\":\"x\"}"}) {
    const std::string text = small_journal() + bad + "\n" + good;
    run_test::write_text(scratch / "j", text);
    const auto [said, code] = error_of([&] { run::Journal::resume(scratch / "j", identity()); });
    EXPECT_EQ(code, 64) << bad;
    EXPECT_NE(said.find("j:6: "), std::string::npos) << said;
    EXPECT_EQ(run_test::text_of(scratch / "j"), text);
  }
}

TEST(JournalDamage, a_repetition_that_is_there_twice_or_has_no_number_is_refused) {
  const auto refused = [](const std::string& line) {
    return error_of([&] { run::parse_journal(small_journal() + line, "f"); }).first;
  };
  EXPECT_NE(refused(run::repetition_line("a", repetition(1))).find("twice"), std::string::npos);
  EXPECT_NE(refused(run::repetition_line("q", repetition(-1))).find("negative"), std::string::npos);
}

// The descriptor under which this process has `file` open.
int descriptor_of(const std::filesystem::path& file) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    if (std::filesystem::read_symlink(entry.path(), ignored) == file)
      return std::stoi(entry.path().filename());
  }
  throw std::runtime_error("not open");
}

TEST(JournalDamage, a_disk_that_fills_up_in_mid_run_is_an_error_with_the_systems_words) {
  const run_test::Scratch scratch;
  run::Journal journal(scratch / "j", identity());
  const int full = ::open("/dev/full", O_RDWR);
  ::dup2(full, descriptor_of(scratch / "j"));
  ::close(full);
  const auto [said, code] = error_of([&] { journal.add("a", repetition(0)); });
  EXPECT_EQ(code, 3);
  EXPECT_NE(said.find("No space left on device"), std::string::npos) << said;
}

TEST(JournalDamage, a_line_that_fits_only_in_part_is_taken_out_again) {
  const run_test::Scratch scratch;
  run_test::Child child([&] {
    ::signal(SIGXFSZ, SIG_IGN);  // as a full disk: the first bytes fit, then write fails
    run::Journal journal(scratch / "j", identity());
    const std::string before = run_test::text_of(scratch / "j");
    rlimit limit{.rlim_cur = before.size() + 100, .rlim_max = RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    if (error_of([&] { journal.add("a", repetition(0)); }).second != 3) return 1;
    if (run_test::text_of(scratch / "j") != before) return 2;
    limit.rlim_cur = RLIM_INFINITY;  // somebody made room
    ::setrlimit(RLIMIT_FSIZE, &limit);
    journal.add("a", repetition(1));
    return run_test::text_of(scratch / "j") == before + run::repetition_line("a", repetition(1))
               ? 0
               : 3;
  });
  EXPECT_EQ(child.wait().exit_code, 0);
}

TEST(JournalDamage, a_process_killed_while_it_writes_leaves_a_journal_that_resumes) {
  const run_test::Scratch scratch;
  for (int round = 0; round < 5; ++round) {
    const auto file =
        scratch / (std::string("j") + std::string(1, static_cast<char>(0x30 + round)));
    run_test::Child child([&] {
      run::Journal journal(file, identity());
      for (int i = 0;; ++i) journal.add("a", repetition(i));
      return 0;
    });
    EXPECT_TRUE(run_test::wait_until([&] {
      std::error_code none;
      return std::filesystem::file_size(file, none) > 20000 && !none;
    }));
    child.send(SIGKILL);
    EXPECT_EQ(child.wait().signal, SIGKILL);
    const run::Journal journal = run::Journal::resume(file, identity());
    const auto& all = journal.recorded().at("a");
    for (std::size_t i = 0; i < all.size(); ++i)
      ASSERT_EQ(all[i].samples, repetition(static_cast<int>(i)).samples);
    EXPECT_GT(all.size(), 10u);
  }
}

}  // namespace
