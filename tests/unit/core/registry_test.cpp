#include "core/registry.hpp"

#include <gtest/gtest.h>

#include "core/capacities.hpp"
#include "core/quantity.hpp"

namespace {

using Measure = int();
int one() { return 1; }
int two() { return 2; }

core::ProbeSpec named(const char* name) {
  return {.name = name, .answers = "", .question = "", .method = ""};
}
const core::Registered<Measure> registered_b{named("latency/b"), two};
const core::Registered<Measure> registered_a{named("latency/a"), one};

TEST(Registry, has_what_registered_itself_by_name_whatever_the_order_of_linking) {
  const auto& registry = core::Registry<Measure>::instance();
  ASSERT_EQ(registry.probes().size(), 2u);
  EXPECT_EQ(registry.probes()[0].spec.name, "latency/a");
  EXPECT_EQ(registry.probes()[1].spec.name, "latency/b");
  EXPECT_EQ(registry.find("latency/a")->measure(), 1);
  EXPECT_EQ(registry.find("latency/b")->measure(), 2);
  EXPECT_EQ(registry.find("latency/c"), nullptr);
}

TEST(Registry, of_another_backend_is_another) {
  EXPECT_TRUE(core::Registry<double()>::instance().probes().empty());
}

TEST(Capacities, that_are_unknown_are_zero_and_said_to_be_absent) {
  core::Capacities capacities{{"l2", 50}};
  EXPECT_EQ(capacities.get("l2"), 50);
  EXPECT_TRUE(capacities.has("l2"));
  EXPECT_EQ(capacities.get("l3"), 0);
  EXPECT_FALSE(capacities.has("l3"));
  capacities.set("l3", 0);
  EXPECT_TRUE(capacities.has("l3"));
}

TEST(Quantities, are_found_by_name_and_unit_together) {
  const std::vector<core::Quantity> all{{"latency", "cycles", 4}, {"latency", "ns", 1}};
  EXPECT_EQ(core::find(all, "latency", "ns")->value, 1);
  EXPECT_EQ(core::find(all, "latency", "cycles")->value, 4);
  EXPECT_EQ(core::find(all, "latency", "s"), nullptr);
  EXPECT_EQ(core::find(all, "cost", "ns"), nullptr);
}

}  // namespace
