#include "app/paths.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace app {
namespace {

namespace fs = std::filesystem;

class SharedFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "suite-paths-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }
  fs::path root_;
};

TEST_F(SharedFolder, of_a_program_in_its_build_tree_is_the_source_tree) {
  fs::create_directories(root_ / "source/configs");
  EXPECT_EQ(shared_folder(root_ / "build/bin/suite", root_ / "source"), root_ / "source");
}

TEST_F(SharedFolder, of_an_installed_program_travels_with_it) {
  fs::create_directories(root_ / "source/configs");
  fs::create_directories(root_ / "there/share/gpu_memory_map/configs");
  EXPECT_EQ(shared_folder(root_ / "there/bin/suite", root_ / "source"),
            root_ / "there/share/gpu_memory_map");
}

TEST_F(SharedFolder, that_is_nowhere_is_said_with_both_places) {
  try {
    shared_folder(root_ / "bin/suite", root_ / "source");
    FAIL();
  } catch (const core::UnavailableError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find((root_ / "share/gpu_memory_map").string()), std::string::npos) << text;
    EXPECT_NE(text.find((root_ / "source").string()), std::string::npos) << text;
  }
}

TEST(Shown, paths_are_relative_below_the_current_folder_and_nowhere_else) {
  EXPECT_EQ(shown(fs::current_path() / "configs/host.yaml"), "configs/host.yaml");
  EXPECT_EQ(shown(fs::current_path().parent_path() / "x.yaml"),
            fs::current_path().parent_path() / "x.yaml");
  EXPECT_EQ(shown("configs/host.yaml"), "configs/host.yaml");
}

}  // namespace
}  // namespace app
