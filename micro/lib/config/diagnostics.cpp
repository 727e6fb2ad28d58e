#include "config/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace config {
namespace {

std::string joined(const std::vector<Diagnostic>& all) {
  std::string text;
  for (const Diagnostic& one : all) {
    if (!text.empty()) text += '\n';
    text += one.line_text();
  }
  return text;
}

}  // namespace

std::string Diagnostic::line_text() const {
  std::string text = place.file;
  if (place.line > 0) text += fmt::format(":{}:{}", place.line, place.column);
  text += ": error: ";
  if (!path.empty()) text += path + ": ";
  return text + what;
}

Errors::Errors(std::vector<Diagnostic> all) : UsageError(joined(all)), all_(std::move(all)) {}

void Mistakes::add(Place place, std::string path, std::string what) {
  all_.push_back({.place = std::move(place), .path = std::move(path), .what = std::move(what)});
}

void Mistakes::throw_all() {
  std::ranges::stable_sort(all_, {}, [](const Diagnostic& d) {
    return std::tie(d.place.file, d.place.line, d.place.column);
  });
  throw Errors(std::move(all_));
}

}  // namespace config
