#include "map/figures.hpp"

#include <gtest/gtest.h>

#include "synthetic.hpp"

namespace {

using namespace synthetic;

// A question that nobody taught the map.
core::Measurement alone(const std::string& level, std::int64_t sms, double bytes_per_s) {
  return measurement({"bandwidth/one_of_tomorrow", {word("level", level), {"sms", "count", sms}}},
                     "question_of_tomorrow",
                     {{"bandwidth", "bytes_per_s", bytes_per_s}, {"share", "ratio", 0.5}});
}

map::MemoryMap map_with(const core::Measurement& one) {
  auto all = full_run();
  all.push_back(one);
  return map_of(all);
}

TEST(Figures, show_every_metric_of_a_question_that_the_map_does_not_know) {
  const map::MemoryMap map = map_with(alone("hbm", 1, 5e10));
  ASSERT_EQ(map.figures.size(), 2U);
  EXPECT_EQ(map.figures[0].points.front(), "bandwidth/one_of_tomorrow/level:hbm/sms_count:1");
  EXPECT_EQ(map.figures[0].estimate.name, "bandwidth");
  EXPECT_EQ(map.figures[0].ceiling, 4.814e12);
  EXPECT_EQ(map.figures[1].estimate.name, "share");
}

TEST(Figures, show_a_chase_that_is_another_quantity_than_a_levels) {
  core::Measurement by_index = chase("ca", 16 * kKiB, 40);
  by_index.point.settings.push_back(word("method", "index"));
  const map::MemoryMap map = map_with(by_index);
  ASSERT_EQ(map.figures.size(), 2U);
  EXPECT_EQ(map.figures[0].points.front(),
            "latency/global/operator:ca/footprint_bytes:16384/method:index");
}

TEST(Figures, of_a_run_that_only_asks_for_levels_and_overheads_are_none) {
  EXPECT_TRUE(map_of(full_run()).figures.empty());
}

TEST(Figures, change_nothing_at_the_levels) {
  const map::MemoryMap with = map_with(alone("hbm", 1, 5e10));
  const map::MemoryMap without = map_of(full_run());
  for (std::size_t i = 0; i < with.levels.size(); ++i)
    EXPECT_EQ(with.levels[i].bandwidth.size(), without.levels[i].bandwidth.size());
  EXPECT_EQ(with.overheads.size(), without.overheads.size());
}

TEST(Figures, above_the_ceiling_of_the_level_that_their_axis_names_are_invalid) {
  const std::vector<core::Measurement> all{alone("hbm", 132, 4.9e12), alone("l2", 132, 9e12)};
  const auto judged = map::judge(all, gpu());
  EXPECT_EQ(judged[0].status, core::Status::invalid) << judged[0].reason;
  EXPECT_NE(judged[0].reason.find("HBM"), std::string::npos) << judged[0].reason;
  EXPECT_EQ(judged[1].status, core::Status::ok) << judged[1].reason;
}

TEST(Figures, of_points_without_a_number_are_left_to_the_reasons) {
  core::Measurement skipped = alone("hbm", 132, 1);
  skipped.status = core::Status::skipped;
  skipped.summary.clear();
  EXPECT_TRUE(map_with(skipped).figures.empty());
}

}  // namespace
