#include "run/utc.hpp"

#include <fmt/format.h>

namespace run {

std::string iso8601_utc(std::chrono::system_clock::time_point time) {
  using namespace std::chrono;
  const auto since_epoch = floor<milliseconds>(time);
  const auto midnight = floor<days>(since_epoch);
  const year_month_day date{midnight};
  const hh_mm_ss clock{since_epoch - midnight};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

}  // namespace run
