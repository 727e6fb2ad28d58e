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
      ASSERT_EQ(journal.repair().empty(), cut.empty() || cut.ends_with('\n')) << bytes;
      journal.add("c", repetition(5));
    }
    const run::Journal again = run::Journal::resume(scratch / "j", identity());
    ASSERT_EQ(repetitions_in(again), whole_repetitions(cut) + 1) << bytes;
    ASSERT_EQ(again.recorded().at("c")[0].samples, repetition(5).samples);
  }
}

std::string with_replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(JournalDamage, that_changes_nothing_of_its_meaning_loses_nothing) {
  const run_test::Scratch scratch;
  std::string crlf;
  for (const char c : small_journal()) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& text : {crlf, "\xef\xbb\xbf" + small_journal()}) {
    run_test::write_text(scratch / "j", text);
    const run::Journal journal = run::Journal::resume(scratch / "j", identity());
    EXPECT_EQ(repetitions_in(journal), 3u);
    EXPECT_EQ(journal.failures().size(), 1u);
    EXPECT_EQ(journal.repair(), "");
  }
}

TEST(JournalDamage, of_zeros_behind_the_last_line_is_repaired_and_said) {
  const run_test::Scratch scratch;
  run_test::write_text(scratch / "j", small_journal() + std::string(4096, '\0'));
  const run::Journal journal = run::Journal::resume(scratch / "j", identity());
  EXPECT_EQ(repetitions_in(journal), 3u);
  EXPECT_NE(journal.repair().find("j was not whole (4096 bytes without an end)"),
            std::string::npos);
  EXPECT_EQ(run_test::text_of(scratch / "j"), small_journal());
}

TEST(JournalDamage, in_the_middle_is_refused_with_its_line_and_the_file_left_alone) {
  const run_test::Scratch scratch;
  const std::string good = run::repetition_line("z", repetition(0));
  const std::string line = run::repetition_line("a", repetition(7));
  const auto with = [&](const std::string& from, const std::string& to) {
    const std::string bad = with_replaced(line, from, to);
    EXPECT_NE(bad, line);
    return bad.substr(0, bad.size() - 1);
  };
  const std::vector<std::string> all{
      "garbage",
      "",
      "[1]",
      "{}",
      line.substr(0, line.size() / 2),
      R"({"number":1})",
      R"({"id":"a","number":1})",
      R"({"id":3})",
      R"({"id":"a","failed":1,"number":0})",
      R"({"id":"a","failed":"x"})",
      R"({"id":"a","failed":"x","number":4294967296})",
      with("\"number\":7", "\"number\":-7"),
      with("\"number\":7", "\"number\":7.5"),
      with("\"number\":7", "\"number\":\"7\""),
      with("\"number\":7", "\"number\":4294967303"),
      with("\"number\":7", "\"number\":18446744073709551615"),
      with("\"number\":7", "\"number\":1e999"),
      with("\"number\":7", "\"number\":1"),  // there already
      with("\"metrics\":[", "\"metrics\":null,\"others\":["),
      with("\"columns\":[", "\"columns\":7,\"others\":["),
      with("\"checks\":[", "\"checks\":{},\"others\":["),
      with("\"latency\"", std::string("\"late\0ncy\"", 10)),
      with("\"latency\"", "3"),
      std::string(4096, '\0'),
      std::string(100'000, '['),
      std::string(10'000'000, 'x'),
      "{\"id\":\"" + std::string(10'000'000, 'x') + "\"}",
      run::identity_line(identity()).substr(0, run::identity_line(identity()).size() - 1)};
  for (const std::string& bad : all) {
    const std::string text = small_journal() + bad + "\n" + good;
    run_test::write_text(scratch / "j", text);
    const auto [said, code] = error_of([&] { run::Journal::resume(scratch / "j", identity()); });
    EXPECT_EQ(code, 3) << bad.substr(0, 300);
    EXPECT_NE(said.find("j:6: "), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    EXPECT_LT(said.size(), 500u);
    EXPECT_TRUE(run_test::text_of(scratch / "j") == text);
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
