// What a person takes away from a plan: filter() by id, shorten() by time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <regex>

#include "config/plan.hpp"
#include "config/values.hpp"
#include "config/wording.hpp"

namespace config {
namespace {

constexpr int kFewestRepetitions = 3;  // below, a median says nothing of its own spread
constexpr std::size_t kIdsShown = 3;

double planned_seconds(const Plan& plan, int most_repetitions) {
  double seconds = 0;
  for (const PlannedPoint& point : plan.points)
    if (point.skip_reason.empty())
      seconds += point.cost.seconds * std::min(point.repetitions, most_repetitions);
  return seconds;
}

int most_repetitions(const Plan& plan) {
  int most = 0;
  for (const PlannedPoint& point : plan.points)
    if (point.skip_reason.empty()) most = std::max(most, point.repetitions);
  return most;
}

std::size_t skip_costliest(Plan& plan, double budget_seconds, const std::string& reason) {
  std::vector<std::size_t> order(plan.points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto seconds = [&](std::size_t i) {
    return plan.points[i].cost.seconds * plan.points[i].repetitions;
  };
  std::ranges::stable_sort(order, std::ranges::greater(), seconds);
  std::size_t skipped = 0;
  double total = planned_seconds(plan, most_repetitions(plan));
  for (const std::size_t i : order) {
    if (total <= budget_seconds) break;
    if (!plan.points[i].skip_reason.empty()) continue;
    total -= seconds(i);
    plan.points[i].skip_reason = reason;
    ++skipped;
  }
  return skipped;
}

// The standard library's matcher recurses and backtracks: a long or deep expression overflows its stack, and a repeated group that can itself
// repeat takes exponential time. Nothing that selects ids needs either.
std::string unreasonable(const std::string& regex) {
  constexpr std::size_t kMostCharacters = 500;
  constexpr std::size_t kMostGroups = 20;
  if (regex.size() > kMostCharacters)
    return fmt::format("{} characters are too many; at most {}", regex.size(), kMostCharacters);
  std::vector<bool> repeats{
      false};  // of each open group: whether something in it repeats without bound
  bool in_class = false;
  for (std::size_t i = 0; i < regex.size(); ++i) {
    const char c = regex[i];
    const auto repeated = [&](std::size_t at) {
      if (at >= regex.size()) return false;
      if (regex[at] == '*' || regex[at] == '+') return true;
      const std::size_t end = regex[at] == '{' ? regex.find('}', at) : regex.npos;
      return end != regex.npos && end > at + 1;
    };
    if (c == '\\') {
      ++i;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
    } else if (c == '(') {
      repeats.push_back(false);
      if (repeats.size() > kMostGroups)
        return fmt::format("groups are nested deeper than {}", kMostGroups - 1);
    } else if (c == ')' && repeats.size() > 1) {
      const bool inside = repeats.back();
      repeats.pop_back();
      if (inside && repeated(i + 1))
        return fmt::format("{} repeats a group that repeats in itself; repeat one of them",
                           quote(regex));
      if (inside || repeated(i + 1)) repeats.back() = true;
    } else if (c == '*' || c == '+' || (c == '{' && repeated(i))) {
      repeats.back() = true;
    }
  }
  return {};
}

}  // namespace

Plan filter(Plan plan, const std::string& regex) {
  if (const std::string why = unreasonable(regex); !why.empty())
    throw core::UsageError("--filter: " + why);
  std::regex expression;
  try {
    expression = std::regex(regex, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    throw core::UsageError(fmt::format("--filter: {} is no regular expression (ECMAScript): {}",
                                       quote(regex), error.what()));
  }
  std::vector<std::string> some;
  std::vector<PlannedPoint> kept;
  for (PlannedPoint& point : plan.points) {
    const std::string id = point.point.id();
    if (some.size() < kIdsShown) some.push_back(id);
    if (std::regex_search(id, expression)) kept.push_back(std::move(point));
  }
  if (kept.empty())
    throw core::UsageError(fmt::format("--filter: {} matches none of {} points; ids are like {}",
                                       quote(regex), plan.points.size(), fmt::join(some, ", ")));
  plan.points = std::move(kept);
  return plan;
}

Plan shorten(Plan plan, double minutes) {
  const double budget_seconds = minutes * 60;
  const int most = most_repetitions(plan);
  if (!(minutes > 0) || planned_seconds(plan, most) <= budget_seconds) return plan;

  const std::string budget = fmt::format("time budget of {} min", format_decimal(minutes));
  int fitting = most;
  while (fitting > kFewestRepetitions && planned_seconds(plan, fitting) > budget_seconds) --fitting;
  if (fitting < most) {
    for (PlannedPoint& point : plan.points)
      point.repetitions = std::min(point.repetitions, fitting);
    plan.notes.push_back(
        fmt::format("{}: at most {} repetitions a point instead of {}", budget, fitting, most));
  }
  const std::size_t skipped = skip_costliest(plan, budget_seconds, budget);
  if (skipped > 0)
    plan.notes.push_back(fmt::format("{}: {} of {} points skipped, the costliest first", budget,
                                     skipped, plan.points.size()));
  return plan;
}

}  // namespace config
