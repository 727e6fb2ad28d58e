// Recorded results analysed again give the map that they were published with.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "map/memory_map.hpp"
#include "report/map_json.hpp"
#include "report/results.hpp"

namespace {

std::vector<std::string> recordings() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(MICRO_SOURCE_DIR) + "/results"))
    if (entry.path().string().ends_with(".json.gz")) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

class Recording : public testing::TestWithParam<std::string> {
 protected:
  report::Results results() const {
    return report::read(std::string(MICRO_SOURCE_DIR) + "/results/" + GetParam());
  }
};

TEST_P(Recording, analysed_again_gives_the_same_map) {
  const report::Results recorded = results();
  const auto judged = map::judge(recorded.measurements, recorded.context.before);
  EXPECT_EQ(report::to_json(map::draw(judged, recorded.context.before)).dump(1),
            report::to_json(recorded.map).dump(1));
}

TEST_P(Recording, judged_again_gives_the_same_statuses_and_reasons) {
  const report::Results recorded = results();
  const auto judged = map::judge(recorded.measurements, recorded.context.before);
  ASSERT_EQ(judged.size(), recorded.measurements.size());
  for (std::size_t i = 0; i < judged.size(); ++i) {
    EXPECT_EQ(judged[i].status, recorded.measurements[i].status) << judged[i].point.id();
    EXPECT_EQ(judged[i].reason, recorded.measurements[i].reason) << judged[i].point.id();
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Recording);
INSTANTIATE_TEST_SUITE_P(Results, Recording, testing::ValuesIn(recordings()), [](const auto& file) {
  std::string name = file.param.substr(0, file.param.find('.'));
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

// The project comes with at least one: without any the tests above would pass by not being there.
TEST(Recordings, are_there) {
  EXPECT_FALSE(recordings().empty()) << "no recorded result (results/*.json.gz) to analyse again";
}

}  // namespace
