#include "support.hpp"

namespace {

// Points of one probe that take 1, 2, 4 and 8 seconds a repetition.
config::Plan plan_of(int repetitions) {
  static const std::vector<core::ProbeSpec> specs = support::gpu_specs();
  const auto config = config::read_text(
      support::with_stanza("operator: cg\n    footprint: [1GiB, 2GiB, 4GiB, 8GiB]"), "x.yaml",
      {"repetitions=" + std::to_string(repetitions)});
  return config::plan(config, specs, support::h200());
}

std::string usage_error(const std::string& regex) {
  try {
    config::filter(plan_of(1), regex);
  } catch (const core::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<int> repetitions(const config::Plan& plan) {
  std::vector<int> all;
  for (const auto& planned : plan.points) all.push_back(planned.repetitions);
  return all;
}

std::vector<std::string> reasons(const config::Plan& plan) {
  std::vector<std::string> all;
  for (const auto& planned : plan.points) all.push_back(planned.skip_reason);
  return all;
}

}  // namespace

TEST(Filter, keeps_the_points_whose_id_matches_in_part) {
  const auto plan = config::filter(plan_of(1), "footprint_bytes:(1|2).*[48]$");
  ASSERT_EQ(plan.points.size(), 2u);
  EXPECT_EQ(plan.points[0].point.number("footprint"), std::int64_t{1} << 30);
  EXPECT_EQ(plan.points[1].point.number("footprint"), std::int64_t{2} << 30);
}

TEST(Filter, refuses_expressions_that_would_not_end_or_overflow_the_stack) {
  EXPECT_NE(usage_error("(.*)*(.*)*(.*)*x").find("repeats a group that repeats"),
            std::string::npos);
  EXPECT_NE(usage_error("(l|a|.)+zzz|(x+){2,}").find("repeats a group that repeats"),
            std::string::npos);
  EXPECT_NE(usage_error(std::string(60'000, '(') + std::string(60'000, ')')).find("too many"),
            std::string::npos);
  EXPECT_NE(usage_error(std::string(40, '(') + "x" + std::string(40, ')')).find("nested deeper"),
            std::string::npos);
  EXPECT_EQ(usage_error("(latency|bandwidth)/.*[(*+]?.*footprint_bytes:1\\d*"), "accepted");
}

TEST(Filter, that_matches_nothing_is_refused_with_ids_that_exist) {
  EXPECT_EQ(usage_error("bandwidth"),
            "--filter: \"bandwidth\" matches none of 4 points; ids are like "
            "latency/global/operator:cg/footprint_bytes:1073741824, "
            "latency/global/operator:cg/footprint_bytes:2147483648, "
            "latency/global/operator:cg/footprint_bytes:4294967296");
}

TEST(Filter, that_is_no_regular_expression_is_refused) {
  EXPECT_TRUE(support::has(usage_error("("), "--filter: \"(\" is no regular expression"));
}

TEST(TimeBudget, that_is_enough_or_none_changes_nothing) {
  for (const double minutes : {0.0, -1.0, 1.25}) {
    const auto plan = config::shorten(plan_of(5), minutes);  // 75 s
    EXPECT_EQ(repetitions(plan), (std::vector<int>{5, 5, 5, 5}));
    EXPECT_EQ(reasons(plan), std::vector<std::string>(4));
    EXPECT_TRUE(plan.notes.empty());
  }
}

TEST(TimeBudget, lowers_repetitions_of_all_points_alike_and_says_so) {
  const auto plan = config::shorten(plan_of(5), 1);  // 4 repetitions take 60 s
  EXPECT_EQ(repetitions(plan), (std::vector<int>{4, 4, 4, 4}));
  EXPECT_EQ(reasons(plan), std::vector<std::string>(4));
  EXPECT_EQ(plan.notes, (std::vector<std::string>{
                            "time budget of 1 min: at most 4 repetitions a point instead of 5"}));
}

TEST(TimeBudget, skips_the_costliest_points_only_below_three_repetitions) {
  const auto plan = config::shorten(plan_of(5), 0.5);  // 3 repetitions take 45 s
  EXPECT_EQ(repetitions(plan), (std::vector<int>{3, 3, 3, 3}));
  EXPECT_EQ(reasons(plan), (std::vector<std::string>{"", "", "", "time budget of 0.5 min"}));
  EXPECT_EQ(plan.notes, (std::vector<std::string>{
                            "time budget of 0.5 min: at most 3 repetitions a point instead of 5",
                            "time budget of 0.5 min: 1 of 4 points skipped, the costliest first"}));
}

TEST(TimeBudget, does_not_raise_repetitions_that_were_fewer) {
  const auto plan = config::shorten(plan_of(1), 0.1);  // 15 s into 6
  EXPECT_EQ(repetitions(plan), (std::vector<int>{1, 1, 1, 1}));
  // The 8 s go first; 7 s are still too much, so the 4 s go too.
  EXPECT_EQ(reasons(plan),
            (std::vector<std::string>{"", "", "time budget of 0.1 min", "time budget of 0.1 min"}));
}

TEST(TimeBudget, keeps_the_reason_of_points_that_are_skipped_anyway) {
  config::Plan plan = plan_of(5);
  plan.points[3].skip_reason = "not here";
  plan = config::shorten(std::move(plan), 0.5);  // 7 s a repetition: 4 fit
  EXPECT_EQ(plan.points[3].skip_reason, "not here");
  EXPECT_EQ(repetitions(plan), (std::vector<int>{4, 4, 4, 4}));
  plan = config::shorten(std::move(plan), 0.2);  // 3 repetitions take 21 s, without the 4 s 9
  EXPECT_EQ(reasons(plan),
            (std::vector<std::string>{"", "", "time budget of 0.2 min", "not here"}));
  EXPECT_EQ(plan.notes.back(),
            "time budget of 0.2 min: 1 of 4 points skipped, the costliest first");
}
