// On a device: the backend as the runner uses it. Each test skips, with the backend's own reason, where there is none.

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "cuda/arena.hpp"
#include "cuda/backend.hpp"
#include "cuda/buffer.hpp"
#include "cuda/device_chain.hpp"
#include "cuda/device_info.hpp"
#include "cuda/health.hpp"
#include "cuda/stream.hpp"
#include "cuda/warm_up.hpp"

namespace {

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    backend_ = cuda::make_backend("");
    if (const std::string reason = backend_->unavailable(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }

  std::unique_ptr<core::Backend> backend_;
};

using Description = OnDevice;
using Arena = OnDevice;
using Clocks = OnDevice;
using Selection = OnDevice;
using Buffers = OnDevice;
using Faults = OnDevice;
using Chains = OnDevice;
using HealthOfADevice = OnDevice;

TEST_F(Description, has_identity_capacities_and_no_empty_level) {
  const core::Description description = backend_->describe();
  EXPECT_TRUE(description.uuid.starts_with("GPU-") || description.uuid.starts_with("MIG-"));
  EXPECT_EQ(description.uuid.size(), 40U);
  EXPECT_EQ(description.machine_code_sha256.size(), 64U);
  EXPECT_FALSE(description.device.empty());
  ASSERT_EQ(description.levels.size(), 5U);
  for (const core::Level& level : description.levels) {
    EXPECT_GT(level.stated_capacity_bytes, 0) << level.name;
    EXPECT_FALSE(level.ceiling_source.empty()) << level.name;
  }
  EXPECT_GT(description.levels.back().ceiling_bytes_per_s, 0);
  EXPECT_LE(description.capacities.get("free_memory"), description.capacities.get("memory"));
  EXPECT_GT(description.capacities.get("free_memory"), 0);
  EXPECT_GE(description.capacities.get("l1_total"),
            description.capacities.get("l1") * description.capacities.get("sm_count"));
}

TEST_F(Description, of_a_second_call_is_of_the_same_device) {
  const core::Description first = backend_->describe();
  const core::Description second = backend_->describe();
  EXPECT_EQ(first.uuid, second.uuid);
  EXPECT_EQ(first.machine_code_sha256, second.machine_code_sha256);
  EXPECT_EQ(first.capacities.all(), second.capacities.all());
}

TEST_F(Selection, by_index_uuid_and_pci_id_is_the_same_device) {
  const core::Description first = backend_->describe();
  for (const std::string& name :
       {std::string("0"), first.uuid, first.uuid.substr(0, 14), first.pci}) {
    const auto other = cuda::make_backend(name);
    const std::string refusal = other->unavailable();
    if (refusal.find("is not unique") != std::string::npos) {
      continue;  // boards whose UUIDs begin alike
    }
    ASSERT_EQ(refusal, "") << name;
    EXPECT_EQ(other->describe().uuid, first.uuid) << name;
  }
}

TEST_F(Selection, of_a_device_that_is_not_there_names_those_that_are) {
  const std::string refusal = cuda::make_backend("4000")->unavailable();
  EXPECT_NE(refusal.find(backend_->describe().uuid), std::string::npos) << refusal;
}

TEST_F(Arena, places_are_aligned_inside_and_writable_to_both_ends) {
  backend_->describe();
  constexpr std::size_t kBytes = 8 << 20;
  const cuda::Arena arena(kBytes);
  EXPECT_GE(arena.size_bytes(), kBytes);
  std::set<std::size_t> offsets;
  for (int repetition = 0; repetition < 20; ++repetition) {
    std::byte* const place = arena.place(kBytes, 4096, {.seed = 1, .repetition = repetition});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % 4096, 0U);
    EXPECT_LE(arena.offset_of(place) + kBytes, arena.size_bytes());
    EXPECT_EQ(cudaMemset(place, repetition, kBytes), cudaSuccess);
    offsets.insert(arena.offset_of(place));
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_GT(offsets.size(), 10U);
}

TEST_F(Arena, larger_than_the_device_is_refused_with_both_sizes_and_costs_no_later_call) {
  const auto memory = static_cast<std::size_t>(backend_->describe().capacities.get("memory"));
  try {
    cuda::Arena arena(2 * memory);
    FAIL() << "twice the memory was allocated";
  } catch (const core::UnavailableError& error) {
    EXPECT_NE(std::string(error.what()).find("are free"), std::string::npos);
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Buffers, carry_data_there_and_back) {
  backend_->describe();
  const cuda::Stream stream;
  cuda::PinnedBuffer<int> host(1000);
  cuda::DeviceBuffer<int> device(1000);
  for (std::size_t i = 0; i < host.size(); ++i) {
    host[i] = static_cast<int>(3 * i);
  }
  cuda::upload<int>(host.span(), device.data(), stream);
  stream.synchronize();
  std::ranges::fill(host, -1);
  cuda::download(device.data(), host.span(), stream);
  stream.synchronize();
  for (std::size_t i = 0; i < host.size(); ++i) {
    ASSERT_EQ(host[i], static_cast<int>(3 * i));
  }
}

TEST_F(Clocks, are_steady_within_two_seconds_and_below_the_stated_maximum) {
  const core::Description description = backend_->describe();
  const cuda::DeviceInfo device = cuda::query_device(0);
  const cuda::Stream stream;
  const cuda::WarmUp seen = cuda::warm_up(device.sm_count, stream);
  EXPECT_LT(seen.seconds, 2.5);
  EXPECT_GT(seen.hertz, 100e6);
  EXPECT_LE(seen.high_hertz, device.max_sm_clock_hertz * 1.01);
  EXPECT_NE(backend_->prepare(1 << 20).find("MHz"), std::string::npos);
}

TEST_F(HealthOfADevice, is_read_within_its_budget) {
  const core::Description description = backend_->describe();
  const cuda::NvmlDevice nvml(cuda::NvmlLibrary::shared(), description.uuid, description.pci);
  if (!nvml.refusal().empty()) {
    GTEST_SKIP() << nvml.refusal();
  }
  const cuda::Health health(nvml);
  EXPECT_FALSE(health.items().empty());
  const auto before = health.read();
  EXPECT_FALSE(cuda::health_delta(health.items(), before, health.read()).empty());
}

TEST_F(Faults, of_one_call_leave_the_device_usable) {
  backend_->describe();
  EXPECT_THROW(MICRO_CUDA_CHECK(cudaSetDevice(4000)), core::MeasureError);
  EXPECT_NO_THROW(MICRO_CUDA_CHECK(cudaDeviceSynchronize()));
  EXPECT_NO_THROW(MICRO_CUDA_CHECK(cudaGetLastError()));
}

TEST_F(Chains, lead_through_every_line_by_address_and_by_index) {
  constexpr std::uint32_t kLines = 1000;
  const cuda::Stream stream;
  cuda::DeviceBuffer<std::uint32_t> place(kLines * cuda::kWordsPerLine);
  const auto chain =
      cuda::lay_chain(reinterpret_cast<std::byte*>(place.data()), kLines, kLines, 7, stream.get());
  std::vector<std::uint32_t> words(place.size());
  MICRO_CUDA_CHECK(
      cudaMemcpy(words.data(), place.data(), place.size_bytes(), cudaMemcpyDeviceToHost));
  for (std::uint32_t hop = 0; hop < kLines; ++hop) {
    const std::uint32_t at = chain.word_after(hop);
    ASSERT_EQ(words[at], chain.word_after(hop + 1)) << hop;
    std::uint64_t address = 0;
    std::memcpy(&address, &words[at - cuda::kIndexWord], sizeof(address));
    ASSERT_EQ(address, chain.address_after(hop + 1)) << hop;
  }
}

TEST_F(Chains, flush_by_a_kernel_that_reads_every_word) {
  const cuda::Stream stream;
  for (const std::size_t bytes : {std::size_t{16}, std::size_t{4096}, std::size_t{64} << 20}) {
    cuda::DeviceBuffer<std::byte> place(bytes);
    EXPECT_EQ(cuda::flush_through(place.data(), bytes, stream.get()).verdict, core::Verdict::pass)
        << bytes;
  }
}

}  // namespace
