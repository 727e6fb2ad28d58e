#include "app/context.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include "fake_backend.hpp"

namespace app {
namespace {

config::Config made_for(const std::string& device) {
  config::Config config;
  config.device = device;
  config.sha256 = "c0ffee";
  config.seed = 7;
  return config;
}

core::Description h200() {
  core::Description device;
  device.device = "NVIDIA H200";
  device.uuid = "GPU-1";
  device.explanations = {{"driver_version", std::string("580.1")}};
  device.machine_code_sha256 = "beef";
  return device;
}

TEST(Context, notes_a_configuration_that_was_made_for_another_device) {
  const config::Config config = made_for("h100");
  report::Context context = context_of(config, h200(), {});
  refuse_or_note_other_device(config, {"configs/h100.yaml", ""}, {}, context);
  ASSERT_EQ(context.notes.size(), 1u);
  for (const char* word : {"configs/h100.yaml", "h100", "NVIDIA H200"})
    EXPECT_NE(context.notes[0].find(word), std::string::npos) << context.notes[0];
}

TEST(Context, of_the_strict_refuses_another_device) {
  const config::Config config = made_for("h100");
  report::Context context = context_of(config, h200(), {});
  CommandLine line;
  line.strict_device = true;
  try {
    refuse_or_note_other_device(config, {"configs/h100.yaml", ""}, line, context);
    FAIL();
  } catch (const core::UnavailableError& error) {
    EXPECT_EQ(error.exit_code(), 3);
  }
}

TEST(Context, of_the_strict_lets_the_meant_device_pass) {
  const config::Config config = made_for("h200");
  report::Context context = context_of(config, h200(), {});
  CommandLine line;
  line.strict_device = true;
  refuse_or_note_other_device(config, {"configs/h200.yaml", ""}, line, context);
  EXPECT_TRUE(context.notes.empty());
}

TEST(Context, says_what_was_left_out_and_what_was_continued) {
  CommandLine line;
  line.filter = "latency";
  line.resume = "a.json.journal";
  const report::Context context = context_of(made_for("any"), h200(), line);
  ASSERT_EQ(context.notes.size(), 2u);
  EXPECT_NE(context.notes[0].find("latency"), std::string::npos);
  EXPECT_NE(context.notes[1].find("a.json.journal"), std::string::npos);
}

TEST(Identity, is_device_driver_configuration_machine_code_and_seed) {
  const run::Identity identity = identity_of(context_of(made_for("h200"), h200(), {}));
  EXPECT_EQ(identity, (run::Identity{.device_uuid = "GPU-1",
                                     .device = "NVIDIA H200",
                                     .driver = "580.1",
                                     .config_sha256 = "c0ffee",
                                     .machine_code_sha256 = "beef",
                                     .seed = 7}));
}

TEST(Identity, knows_the_driver_without_nvml) {
  core::Description device = h200();
  device.explanations = {{"cuda_driver_supports", std::string("13.0")}};
  EXPECT_EQ(identity_of(context_of(made_for("h200"), device, {})).driver, "13.0");
}

TEST(Identity, of_a_device_without_uuid_is_that_of_its_machine) {
  core::Description cpu;
  cpu.device = "a CPU";
  EXPECT_NE(identity_of(context_of(made_for("any"), cpu, {})).device_uuid, "");
  cpu.simulated = true;
  EXPECT_EQ(identity_of(context_of(made_for("any"), cpu, {})).device_uuid, "");
}

TEST(Results, closed_after_a_signal_name_it) {
  report::Results results;
  FakeBackend backend("a CPU", "");
  const run::Outcome outcome{
      .measurements = {}, .complete = false, .interrupted = true, .incomplete_reason = "?"};
  close_context(results, backend, outcome, SIGTERM);
  EXPECT_FALSE(results.complete);
  EXPECT_EQ(results.incomplete_reason, "interrupted by SIGTERM");
}

TEST(Results, have_the_notes_of_the_run) {
  report::Results results;
  FakeBackend backend("a CPU", "");
  const run::Outcome outcome{.measurements = {}, .notes = {"a point failed before the resume"}};
  close_context(results, backend, outcome, 0);
  EXPECT_EQ(results.context.notes, outcome.notes);
}

TEST(Results, of_a_lost_device_are_closed_without_its_state) {
  report::Results results;
  FakeBackend backend("", "the device fell off the bus");
  const run::Outcome outcome{
      .measurements = {}, .complete = false, .incomplete_reason = "device lost"};
  close_context(results, backend, outcome, 0);
  EXPECT_EQ(results.incomplete_reason, "device lost");
  ASSERT_EQ(results.context.notes.size(), 1u);
  EXPECT_NE(results.context.notes[0].find("fell off the bus"), std::string::npos);
}

}  // namespace
}  // namespace app
