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

}  // namespace

Plan filter(Plan plan, const std::string& regex) {
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
