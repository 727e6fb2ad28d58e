// The identity of real machine code: nvcc compiles the same source in two folders.

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cuda/fatbin.hpp"

namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = R"(
namespace {
__global__ void chase(unsigned* p, unsigned hops) {
  unsigned at = *p;
  for (unsigned i = 0; i < hops; ++i) { at = p[at]; }
  *p = at;
}
template <int N> __global__ void fill(unsigned* p) { p[threadIdx.x] = N; }
}
void launch(unsigned* p) { chase<<<1, 1>>>(p, 7); fill<3><<<1, 32>>>(p); fill<5><<<1, 32>>>(p); }
)";

class MachineCodeOfTwoBuilds : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("micro_machine_code_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string identity(const std::string& subfolder, const std::string& source) {
    const fs::path build = folder_ / subfolder;
    fs::create_directories(build);
    std::ofstream(build / "probe.cu") << source;
    const std::string command =
        std::string(NVCC) + " -std=c++20 -gencode arch=compute_90,code=sm_90 " + "-c " +
        (build / "probe.cu").string() + " -o " + (build / "probe.o").string();
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream file(build / "probe.o", std::ios::binary);
    const std::string object(std::istreambuf_iterator<char>(file), {});
    return cuda::machine_code_sha256(cuda::images_for(cuda::device_images(object), 9, 0));
  }

  fs::path folder_;
};

// As a probe: nothing that other files see, and then nvcc writes its process id into every name.
constexpr const char* kInvisibleSource = R"(
namespace {
__device__ unsigned visits;
__global__ void chase(unsigned* p) { *p = p[*p]; visits = *p; }
const auto kernel = &chase;
void launch(unsigned* p) { kernel<<<1, 1>>>(p); }
[[maybe_unused]] const auto used = &launch;
}
)";

TEST_F(MachineCodeOfTwoBuilds, is_the_same_in_different_folders_and_changes_with_a_kernel) {
  const std::string first = identity("first", kSource);
  EXPECT_EQ(first.size(), 64U);
  EXPECT_EQ(identity("second/deeper", kSource), first);
  std::string changed = kSource;
  changed.replace(changed.find("p[at]"), 5, "p[at] + 1");
  EXPECT_NE(identity("third", changed), first);
}

TEST_F(MachineCodeOfTwoBuilds, is_the_same_where_nothing_is_visible_from_outside) {
  const std::string first = identity("fourth", kInvisibleSource);
  EXPECT_EQ(first.size(), 64U);
  EXPECT_EQ(identity("fifth", kInvisibleSource), first);
}

}  // namespace
