// The configurations that ship, as texts; what they plan is tested with the probes.
#include "support.hpp"

namespace {

const std::filesystem::path kConfigs = std::filesystem::path(MICRO_SOURCE_DIR) / "configs";

}  // namespace

TEST(ShippedConfigurations, are_read_and_read_back_from_their_normalised_text) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kConfigs)) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    const auto config = config::read(entry.path());
    EXPECT_EQ(config::read_text(config.text, "x.yaml").text, config.text) << entry.path();
  }
  EXPECT_GE(count, 9);
}

TEST(ShippedConfigurations, open_with_a_comment_that_says_what_they_are_for) {
  for (const auto& entry : std::filesystem::directory_iterator(kConfigs)) {
    if (entry.path().extension() != ".yaml") continue;
    std::string first;
    std::ifstream in(entry.path());
    std::getline(in, first);
    EXPECT_EQ(first.substr(0, 2), "# ") << entry.path();
    EXPECT_EQ(first.find("yaml-language-server"), std::string::npos) << entry.path();
  }
}

TEST(ShippedConfigurations, named_after_a_device_are_meant_for_it) {
  for (const config::KnownDevice& known : config::known_devices()) {
    EXPECT_EQ(config::read(kConfigs / (known.key + ".yaml")).device, known.key);
    EXPECT_EQ(config::read(kConfigs / (known.key + "_quick.yaml")).device, known.key);
  }
}
