#include "app/progress.hpp"

#include <fmt/format.h>

#include "core/units.hpp"

namespace app {

std::string progress_text(const run::Progress& progress) {
  const std::string total = std::to_string(progress.total);
  return fmt::format("[{:>{}}/{}] {}, {} left: {}", progress.done, total.size(), total,
                     core::format_seconds(progress.elapsed_seconds),
                     core::format_seconds(progress.remaining_seconds), progress.id);
}

void ProgressLine::show(const run::Progress& progress, Clock::time_point now) {
  if (now < next_) return;
  std::string text = progress_text(progress);
  if (redrawn_) {
    text.resize(std::min(text.size(), static_cast<std::size_t>(std::max(columns_ - 1, 1))));
    text = "\r" + text + "\x1b[K";
    drawn_ = true;
    next_ = now + std::chrono::milliseconds(50);
  } else {
    text += '\n';
    next_ = now + std::chrono::seconds(2);
  }
  std::fwrite(text.data(), 1, text.size(), stream_);
  std::fflush(stream_);
}

void ProgressLine::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stream_);
  std::fflush(stream_);
  drawn_ = false;
}

}  // namespace app
