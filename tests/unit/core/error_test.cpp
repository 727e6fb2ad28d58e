#include "core/error.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace {

TEST(ExitCodes, are_those_that_scripts_rely_on) {
  EXPECT_EQ(core::exit_code::kOk, 0);
  EXPECT_EQ(core::exit_code::kWarning, 1);
  EXPECT_EQ(core::exit_code::kCritical, 2);
  EXPECT_EQ(core::exit_code::kUnknown, 3);
  EXPECT_EQ(core::exit_code::kUsage, 64);
  EXPECT_EQ(core::exit_code::kInterrupted, 130);
}

TEST(Errors, carry_text_and_exit_code_through_their_base) {
  const auto code_of = [](const auto& thrown) {
    try {
      throw thrown;
    } catch (const core::Error& error) {
      EXPECT_STREQ(error.what(), "what");
      return error.exit_code();
    }
  };
  EXPECT_EQ(code_of(core::UsageError("what")), 64);
  EXPECT_EQ(code_of(core::UnavailableError("what")), 3);
  EXPECT_EQ(code_of(core::Error(130, "what")), 130);
}

// A point that failed must not end the program: handlers of Error may not catch it.
TEST(MeasureErrors, are_no_errors_of_the_program) {
  EXPECT_FALSE((std::is_base_of_v<core::Error, core::MeasureError>));
  EXPECT_TRUE((std::is_base_of_v<core::MeasureError, core::SkipError>));
  EXPECT_TRUE((std::is_base_of_v<core::MeasureError, core::DeviceLostError>));
  EXPECT_FALSE((std::is_base_of_v<core::SkipError, core::DeviceLostError>));
}

}  // namespace
