#include <gtest/gtest.h>

#include <algorithm>

#include "synthetic.hpp"

namespace {

using namespace synthetic;

const map::MemoryMap& the_map() {
  static const map::MemoryMap map = map_of(full_run());
  return map;
}

double value(const std::vector<map::Entry>& entries, const std::string& point,
             const std::string& unit) {
  for (const map::Entry& entry : entries)
    if (entry.estimate.unit == unit && entry.points.front().find(point) != std::string::npos)
      return entry.estimate.value;
  return -1;
}

TEST(Map, has_the_stated_levels_nearest_first) {
  std::vector<std::string> names;
  for (const map::MapLevel& one : the_map().levels) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"Registers", "Shared", "L1", "L2", "HBM"}));
}

TEST(Map, of_a_clean_run_is_ok_and_has_nothing_to_explain) {
  for (const map::MapLevel& one : the_map().levels) EXPECT_EQ(one.status, "ok") << one.name;
  EXPECT_TRUE(the_map().unexplained.empty()) << the_map().unexplained.front();
  EXPECT_TRUE(the_map().disagreements.empty()) << the_map().disagreements.front();
}

TEST(Map, finds_capacities_beside_stated_ones) {
  const map::Capacity& l1 = level(the_map(), "L1").capacity;
  EXPECT_EQ(l1.stated_bytes, 248 * kKiB);
  EXPECT_EQ(l1.found_bytes, 192 * kKiB);
  EXPECT_EQ(l1.found_low_bytes, 192 * kKiB);
  EXPECT_EQ(l1.found_high_bytes, 256 * kKiB);
  EXPECT_GE(l1.confidence, 0.99);
  EXPECT_EQ(level(the_map(), "L2").capacity.found_bytes, 48 * kMiB);
  EXPECT_EQ(level(the_map(), "HBM").capacity.found_bytes, 0);
}

TEST(Map, gives_latency_in_cycles_first_and_then_in_nanoseconds) {
  for (const char* name : {"L1", "L2", "HBM"}) {
    const auto& latency = level(the_map(), name).latency;
    ASSERT_EQ(latency.size(), 2U) << name;
    EXPECT_EQ(latency[0].estimate.unit, "cycles");
    EXPECT_EQ(latency[1].estimate.unit, "ns");
  }
  EXPECT_NEAR(level(the_map(), "L1").latency[0].estimate.value, 32.5, 0.1);
  EXPECT_NEAR(level(the_map(), "L2").latency[0].estimate.value, 268, 1);
  EXPECT_NEAR(level(the_map(), "HBM").latency[0].estimate.value, 690, 2);
}

TEST(Map, takes_each_level_by_the_operator_that_reaches_it) {
  for (const auto& [name, wanted] :
       {std::pair{"L1", "operator:ca"}, {"L2", "operator:cg"}, {"HBM", "operator:cg"}})
    for (const auto* entries : {&level(the_map(), name).latency, &level(the_map(), name).bandwidth})
      for (const map::Entry& entry : *entries)
        for (const std::string& id : entry.points)
          EXPECT_NE(id.find(wanted), std::string::npos) << id;
}

TEST(Map, of_pointer_chases_that_say_so_is_the_map_of_those_that_do_not) {
  std::vector<core::Measurement> measurements = full_run();
  for (core::Measurement& one : measurements)
    if (one.point.probe == "latency/global")
      one.point.settings.push_back(word("method", "pointer"));
  const map::MemoryMap map = map_of(std::move(measurements));
  EXPECT_TRUE(map.disagreements.empty()) << map.disagreements.front();
  for (const char* name : {"L1", "L2", "HBM"}) {
    const map::Entry& entry = level(map, name).latency.front();
    EXPECT_EQ(entry.estimate, level(the_map(), name).latency.front().estimate) << name;
    EXPECT_TRUE(entry.published.has_value()) << name;
  }
}

TEST(Map, takes_index_chases_and_other_paths_neither_for_a_level_nor_for_a_disagreement) {
  std::vector<core::Measurement> measurements = full_run();
  for (const std::int64_t bytes : sweep(kKiB, 1024 * kMiB)) {
    measurements.push_back(chase_by("index", "ca", bytes, 1.2 * ca_cycles(bytes)));
    measurements.push_back(chase_by("index", "cg", bytes, bytes <= 60 * kMiB ? 330 : 800));
    measurements.push_back(chase_by("pointer", "nc", bytes, 1.3 * ca_cycles(bytes)));
    // A step where no level ends.
    measurements.push_back(chase_by("pointer", "volatile", bytes, bytes <= 2 * kMiB ? 300 : 900));
  }
  const map::MemoryMap map = map_of(std::move(measurements));
  EXPECT_TRUE(map.disagreements.empty()) << map.disagreements.front();
  EXPECT_TRUE(map.unexplained.empty()) << map.unexplained.front();
  for (const char* name : {"L1", "L2", "HBM"}) {
    const map::MapLevel& with = level(map, name);
    const map::MapLevel& without = level(the_map(), name);
    ASSERT_EQ(with.latency.size(), without.latency.size()) << name;
    EXPECT_EQ(with.latency.front().estimate, without.latency.front().estimate) << name;
    EXPECT_EQ(with.latency.front().points, without.latency.front().points) << name;
    EXPECT_EQ(with.capacity.found_bytes, without.capacity.found_bytes) << name;
  }
}

TEST(Map, has_no_latency_of_a_level_that_only_other_quantities_reach) {
  std::vector<core::Measurement> measurements;
  for (const std::int64_t bytes : sweep(kKiB, 64 * kKiB))
    measurements.push_back(chase_by("index", "ca", bytes, 38));
  EXPECT_TRUE(level(map_of(std::move(measurements)), "L1").latency.empty());
}

TEST(Map, gives_bandwidth_read_first_per_clock_and_per_second) {
  const auto& bandwidth = level(the_map(), "HBM").bandwidth;
  ASSERT_EQ(bandwidth.size(), 6U);
  EXPECT_EQ(bandwidth[0].estimate.unit, "bytes_per_cycle_per_sm");
  EXPECT_EQ(bandwidth[1].estimate.unit, "bytes_per_s");
  EXPECT_NEAR(bandwidth[1].estimate.value, 4.5e12, 1e10);
  EXPECT_NEAR(value(bandwidth, "operation:write", "bytes_per_s"), 4.4e12, 1e10);
  EXPECT_NEAR(value(bandwidth, "operation:copy", "bytes_per_s"), 4.1e12, 1e10);
  EXPECT_EQ(bandwidth[1].ceiling, 4.814e12);
}

TEST(Map, reads_an_l1_bandwidth_off_footprints_of_all_sms_together) {
  const auto& bandwidth = level(the_map(), "L1").bandwidth;
  ASSERT_FALSE(bandwidth.empty());
  EXPECT_NEAR(bandwidth[0].estimate.value, 126, 0.5);
  EXPECT_EQ(bandwidth[0].ceiling, 128);
}

/// A read of half the L1s together by a probe that is made for them.
core::Measurement read_of_l1(std::int64_t width, double bytes_per_cycle) {
  return measurement(
      {.probe = "bandwidth/l1",
       .settings = {word("operation", "read"), word("operator", "ca"),
                    core::Setting{"width", "bytes", width}, footprint(kSms * 124 * kKiB)}},
      core::answers::kLevelBandwidth,
      {{"bandwidth", "bytes_per_s", bytes_per_cycle * kSms * kClockHertz},
       {"bandwidth", "bytes_per_cycle_per_sm", bytes_per_cycle}});
}

TEST(Map, takes_the_best_of_the_probes_that_reach_a_level_and_names_the_others_beside_it) {
  std::vector<core::Measurement> measurements = full_run();
  measurements.push_back(read_of_l1(16, 127.5));
  measurements.push_back(read_of_l1(4, 125));
  const auto bandwidth = level(map_of(std::move(measurements)), "L1").bandwidth;
  ASSERT_EQ(bandwidth.size(), 2U);
  EXPECT_NEAR(bandwidth[0].estimate.value, 127.5, 0.3);
  EXPECT_NE(bandwidth[0].points.front().find("bandwidth/l1"), std::string::npos);
  EXPECT_NE(bandwidth[0].note.find("bandwidth/global"), std::string::npos) << bandwidth[0].note;
  EXPECT_NE(bandwidth[0].note.find("width:4"), std::string::npos) << bandwidth[0].note;
}

TEST(Map, takes_no_impossible_bandwidth_for_the_best) {
  std::vector<core::Measurement> measurements = full_run();
  measurements.push_back(read_of_l1(16, 140));
  const auto bandwidth = level(map_of(std::move(measurements)), "L1").bandwidth;
  EXPECT_NEAR(bandwidth[0].estimate.value, 126, 0.5);
  EXPECT_EQ(bandwidth[0].status, core::Status::ok);
}

TEST(Map, has_ffma_as_the_headline_of_the_registers_and_the_others_after_it) {
  const auto& latency = level(the_map(), "Registers").latency;
  ASSERT_EQ(latency.size(), 4U);
  EXPECT_EQ(latency[0].points.front(), "latency/register/operation:ffma");
  EXPECT_EQ(latency[1].points.front(), "latency/register/operation:imad");
  EXPECT_EQ(latency[3].points.front(), "latency/register/operation:shuffle");
}

TEST(Map, takes_the_rate_that_can_be_reached_and_names_its_setting) {
  const auto& rate = level(the_map(), "Registers").bandwidth;
  ASSERT_EQ(rate.size(), 1U);
  EXPECT_NEAR(rate[0].estimate.value, 126.5, 0.5);
  EXPECT_EQ(rate[0].ceiling, 128);
  EXPECT_NE(rate[0].note.find("the best of 16 points"), std::string::npos) << rate[0].note;
}

TEST(Map, never_mixes_the_two_methods_of_a_scratchpad_latency) {
  const auto& latency = level(the_map(), "Shared").latency;
  ASSERT_EQ(latency.size(), 2U);
  EXPECT_EQ(latency[0].method, "raw: made up");
  EXPECT_EQ(latency[1].method, "index: made up");
  EXPECT_NEAR(latency[0].estimate.value, 23.1, 0.1);
  EXPECT_NEAR(latency[1].estimate.value, 29.5, 0.1);
}

TEST(Map, gives_one_scratchpad_bandwidth_per_operation_and_tells_the_other_widths) {
  const auto& bandwidth = level(the_map(), "Shared").bandwidth;
  ASSERT_EQ(bandwidth.size(), 2U);
  EXPECT_NE(bandwidth[0].points.front().find("operation:read/width_bytes:16"), std::string::npos);
  EXPECT_NE(bandwidth[0].note.find("width:4"), std::string::npos) << bandwidth[0].note;
}

TEST(Map, lists_overheads_apart_from_the_levels) {
  std::vector<std::string> ids;
  for (const map::Entry& entry : the_map().overheads) ids.push_back(entry.points.front());
  EXPECT_EQ(ids, (std::vector<std::string>{
                     "overhead/clock/method:clock64", "overhead/clock/method:globaltimer",
                     "overhead/launch/method:stream", "overhead/launch/method:graph",
                     "overhead/launch/method:sync"}));
}

TEST(Map, shows_the_published_range_of_the_device_that_was_measured) {
  const auto& hbm = level(the_map(), "HBM");
  ASSERT_TRUE(hbm.latency[0].published);
  EXPECT_EQ(hbm.latency[0].published->key, "LAT18");
  EXPECT_EQ(hbm.latency[0].published->low, 610);
  core::Description other = gpu();
  other.device = "NVIDIA A100-SXM4-80GB";
  for (const map::MapLevel& one : map_of(full_run(), other).levels)
    for (const map::Entry& entry : one.latency) EXPECT_FALSE(entry.published);
}

TEST(Map, remarks_on_a_value_outside_the_published_range_without_hiding_it) {
  auto run = full_run();
  for (core::Measurement& one : run)
    if (one.point.id() == "latency/register/operation:ffma")
      one = one_number("latency/register", {word("operation", "ffma")},
                       core::answers::kOperandLatency, {"latency", "cycles", 6});
  const map::Entry ffma = level(map_of(run), "Registers").latency[0];
  EXPECT_NEAR(ffma.estimate.value, 6, 0.05);
  EXPECT_EQ(ffma.status, core::Status::ok);
  EXPECT_NE(ffma.note.find("LAT1"), std::string::npos) << ffma.note;
}

TEST(Map, does_not_depend_on_the_order_of_the_measurements) {
  const auto texts = [](const map::MemoryMap& map) {
    std::string all;
    const auto add = [&](const std::vector<map::Entry>& entries) {
      for (const map::Entry& entry : entries) {
        all += entry.method + entry.note + std::to_string(entry.estimate.value) + "/" +
               std::to_string(entry.estimate.low) + "/" + std::to_string(entry.estimate.high);
        for (const std::string& id : entry.points) all += id;
      }
    };
    for (const map::MapLevel& one : map.levels) {
      all += one.name + one.status + one.capacity.note + std::to_string(one.capacity.found_bytes);
      add(one.latency);
      add(one.bandwidth);
    }
    add(map.overheads);
    for (const auto& list : {map.unexplained, map.disagreements})
      for (const std::string& text : list) all += text;
    return all;
  };
  auto run = full_run();
  const std::string once = texts(map_of(run));
  core::Random random(9);
  for (int shuffle = 0; shuffle < 5; ++shuffle) {
    for (std::size_t i = run.size() - 1; i > 0; --i) std::swap(run[i], run[random.below(i + 1)]);
    EXPECT_EQ(texts(map_of(run)), once);
  }
}

}  // namespace
