#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/terminal.hpp"

namespace report {
namespace {

std::string field_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string number_text(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

}  // namespace

std::string csv(const Results& results) {
  std::size_t groups = 1;
  for (const core::Measurement& measurement : results.measurements)
    groups = std::max(groups, measurement.summary.size());
  std::string out = "id,status,reason";
  for (std::size_t i = 1; i <= groups; ++i)
    for (const char* name : {"metric", "value", "low", "high", "n", "unit"})
      out += i == 1 ? fmt::format(",{}", name) : fmt::format(",{}_{}", name, i);
  out += "\r\n";
  for (const core::Measurement& measurement : results.measurements) {
    out += fmt::format("{},{},{}", field_text(measurement.point.id()),
                       core::to_string(measurement.status), field_text(measurement.reason));
    for (const core::Estimate& one : measurement.summary)
      out += fmt::format(",{},{},{},{},{},{}", field_text(one.name), number_text(one.value),
                         number_text(one.low), number_text(one.high), one.n, field_text(one.unit));
    for (std::size_t i = measurement.summary.size(); i < groups; ++i) out += ",,,,,,";
    out += "\r\n";
  }
  return out;
}

}  // namespace report
