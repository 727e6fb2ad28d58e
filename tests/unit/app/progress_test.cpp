#include "app/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app {
namespace {

using namespace std::chrono_literals;

class Shown {
 public:
  Shown() : file_(std::tmpfile()) {}
  ~Shown() { std::fclose(file_); }
  std::FILE* file() const { return file_; }
  std::string text() const {
    std::string all(1 << 16, '\0');
    std::rewind(file_);
    all.resize(std::fread(all.data(), 1, all.size(), file_));
    return all;
  }

 private:
  std::FILE* file_;
};

const run::Progress kProgress{.id = "latency/global/footprint_bytes:1024",
                              .done = 12,
                              .total = 340,
                              .elapsed_seconds = 3.2,
                              .remaining_seconds = 75};

TEST(Progress, says_point_count_elapsed_and_remaining) {
  EXPECT_EQ(progress_text(kProgress),
            "[ 12/340] 3.20 s, 1 min 15 s left: latency/global/footprint_bytes:1024");
}

TEST(Progress, without_a_terminal_is_a_plain_line_every_two_seconds_at_most) {
  const Shown shown;
  ProgressLine line(shown.file(), false, 80);
  const ProgressLine::Clock::time_point start{};
  for (auto passed = 0ms; passed < 10s; passed += 10ms) line.show(kProgress, start + passed);
  line.clear();
  const std::string text = shown.text();
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);
  EXPECT_EQ(text.find('\r'), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Progress, on_a_terminal_stays_on_one_line_and_inside_it) {
  const Shown shown;
  {
    ProgressLine line(shown.file(), true, 20);
    const ProgressLine::Clock::time_point start{};
    line.show(kProgress, start);
    line.show(kProgress, start + 10ms);
    line.show(kProgress, start + 60ms);
  }
  const std::string drawn = "\r" + progress_text(kProgress).substr(0, 19) + "\x1b[K";
  EXPECT_EQ(shown.text(), drawn + drawn + "\r\x1b[K");
}

}  // namespace
}  // namespace app
