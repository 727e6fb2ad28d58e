#include "model/faults.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <future>
#include <thread>

#include "core/error.hpp"
#include "model/backend.hpp"

namespace {

using namespace std::chrono_literals;

const core::Point kSmall{.probe = "latency/global",
                         .settings = {{"footprint", "bytes", std::int64_t{1024}}}};
const core::Point kLarge{.probe = "latency/global",
                         .settings = {{"footprint", "bytes", std::int64_t{1} << 26}}};

std::unique_ptr<core::Backend> faulty(std::string_view text) {
  return model::with_faults(model::make_backend(), text);
}

TEST(Faults, lose_the_device_after_so_many_measurements_and_for_good) {
  const auto backend = faulty("lost:2");
  EXPECT_NO_THROW(backend->measure(kSmall, {}));
  EXPECT_NO_THROW(backend->measure(kLarge, {}));
  EXPECT_THROW(backend->measure(kSmall, {}), core::DeviceLostError);
  EXPECT_THROW(backend->measure(kSmall, {}), core::DeviceLostError);
}

TEST(Faults, hit_only_the_points_that_they_name) {
  const auto backend = faulty("fail:footprint_bytes:1024$");
  EXPECT_THROW(backend->measure(kSmall, {}), core::MeasureError);
  EXPECT_NO_THROW(backend->measure(kLarge, {}));
  EXPECT_THROW(faulty("skip:1024")->measure(kSmall, {}), core::SkipError);
}

TEST(Faults, hang_and_never_return) {
  // The thread cannot be joined: it is left behind, with everything it uses.
  auto* backend = faulty("hang:.").release();
  auto* done = new std::promise<void>;
  auto future = done->get_future();
  std::thread([backend, done] {
    backend->measure(kSmall, {});
    done->set_value();
  }).detach();
  EXPECT_EQ(future.wait_for(100ms), std::future_status::timeout);
}

TEST(Faults, slow_every_measurement_down) {
  const auto backend = faulty("sleep_ms:30");
  const auto start = std::chrono::steady_clock::now();
  backend->measure(kSmall, {});
  EXPECT_GE(std::chrono::steady_clock::now() - start, 30ms);
}

TEST(Faults, falsify_checks_clocks_and_values) {
  EXPECT_EQ(faulty("check:.")->measure(kSmall, {}).checks.at(0).verdict, core::Verdict::fail);
  const double steady_hertz = faulty("")->measure(kSmall, {}).clock.hertz();
  EXPECT_NEAR(faulty("throttle:.")->measure(kSmall, {}).clock.hertz(), steady_hertz * 0.8, 1);
  EXPECT_TRUE(std::isnan(faulty("nan:.")->measure(kSmall, {}).metrics.at(0).value));
  const core::Point read{
      .probe = "bandwidth/global",
      .settings = {{"operation", "", "read"}, {"footprint", "bytes", std::int64_t{1024}}}};
  EXPECT_DOUBLE_EQ(faulty("impossible:.")->measure(read, {}).metrics.at(0).value,
                   faulty("")->measure(read, {}).metrics.at(0).value * 10);
}

TEST(Faults, may_be_several) {
  const model::Faults faults = model::parse_faults("lost:3;fail:a;fail:b;sleep_ms:5");
  EXPECT_EQ(faults.lost_after, 3);
  EXPECT_EQ(faults.fail, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(faults.sleep, 5ms);
}

TEST(Faults, refuse_what_they_do_not_know) {
  for (const char* text : {"explode:1", "lost:x", "lost:-1", "lost", "fail:", "fail:("})
    EXPECT_THROW(model::parse_faults(text), core::UsageError) << text;
}

TEST(Faults, say_a_mistake_instead_of_throwing_it) {
  EXPECT_EQ(faulty("lost:x")->unavailable(), "MICRO_INJECT: lost takes a whole number, not 'x'");
  EXPECT_EQ(faulty("unavailable:busy")->unavailable(), "busy");
}

TEST(Faults, come_from_the_environment_of_the_program) {
  ASSERT_EQ(setenv("MICRO_INJECT", "fail:.", 1), 0);
  const auto backend = model::make_backend();
  ASSERT_EQ(unsetenv("MICRO_INJECT"), 0);
  EXPECT_THROW(backend->measure(kSmall, {}), core::MeasureError);
  EXPECT_NE(core::find(backend->describe().state, "faults_injected"), nullptr);
  EXPECT_NO_THROW(model::make_backend()->measure(kSmall, {}));
}

}  // namespace
