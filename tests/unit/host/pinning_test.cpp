#include "host/pinning.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <stdexcept>
#include <thread>

namespace {

TEST(CpuLists, of_the_kernel_are_parsed) {
  EXPECT_EQ(host::parse_cpu_list("0-3,8\n"), (std::vector<int>{0, 1, 2, 3, 8}));
  EXPECT_EQ(host::parse_cpu_list("7"), (std::vector<int>{7}));
  EXPECT_TRUE(host::parse_cpu_list("\n").empty());
}

TEST(CpuLists, that_are_none_are_refused) {
  for (const char* text : {"a", "0-", "-1", "1,,2", "0-99999999", "1 2"})
    EXPECT_THROW(host::parse_cpu_list(text), std::invalid_argument) << text;
}

TEST(Pin, holds_the_thread_on_one_cpu_and_gives_it_back) {
  const std::vector<int> before = host::allowed_cpus();
  ASSERT_FALSE(before.empty());
  {
    const host::ScopedPin pin(before.back());
    ASSERT_EQ(pin.refused(), "");
    EXPECT_EQ(host::allowed_cpus(), (std::vector<int>{before.back()}));
    EXPECT_EQ(sched_getcpu(), before.back());
  }
  EXPECT_EQ(host::allowed_cpus(), before);
}

TEST(Pin, that_the_kernel_refuses_says_why_and_changes_nothing) {
  const std::vector<int> before = host::allowed_cpus();
  {
    const host::ScopedPin pin(8191);
    EXPECT_NE(pin.refused().find("sched_setaffinity: "), std::string::npos);
    EXPECT_EQ(host::allowed_cpus(), before);
  }
  EXPECT_EQ(host::allowed_cpus(), before);
}

}  // namespace
