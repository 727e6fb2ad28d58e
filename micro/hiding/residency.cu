// Question: how many blocks of a kernel are resident on an SM, and which resource limits them?
// Method:   more blocks than fit are launched; each counts itself in at its SM (%smid), holds its
//           registers and shared memory for fifty microseconds, and counts itself out. The highest
//           count of an SM is what was resident there; the median over the SMs. Beside it what the
//           runtime's occupancy calculator predicts, and what registers, shared memory, threads and
//           blocks would each allow. live: values that a thread keeps in registers; the registers
//           that the compiler gave it are a fact of the point.
// Holds when every block ran and every SM held blocks.
// Flaws:    a block counts itself in after it has begun and out before it ends: never too many.
//
// All values stay in registers and are renewed in one loop. By how many: 16, 48, 80, 112, 160, 208.
// SASS-LABEL: Function : {{.*}}holdILi112E
// SASS-COUNT-112: FFMA
// SASS: BRA
// SASS-LABEL: Function : {{.*}}holdILi160E
// SASS-COUNT-160: FFMA
// SASS: BRA
// SASS-LABEL: Function : {{.*}}holdILi16E
// SASS-COUNT-16: FFMA
// SASS: BRA
// SASS-LABEL: Function : {{.*}}holdILi208E
// SASS-COUNT-208: FFMA
// SASS: BRA
// SASS-LABEL: Function : {{.*}}holdILi48E
// SASS-COUNT-48: FFMA
// SASS: BRA
// SASS-LABEL: Function : {{.*}}holdILi80E
// SASS-COUNT-80: FFMA
// SASS: BRA

#include <algorithm>
#include <vector>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/ptx/clock.cuh"
#include "cuda/residency.hpp"

namespace {

constexpr std::uint64_t kHoldNs = 50'000;
constexpr std::uint32_t kMostSms = 1024;  // %smid stays below

struct Residents {
  std::uint32_t now[kMostSms];
  std::uint32_t most[kMostSms];
  std::uint32_t blocks;
};

template <int kLive>
__global__ void hold(float a, float b, Residents* residents, float* sums) {
  extern __shared__ float shared[];
  if (threadIdx.x == 0) {
    const std::uint32_t sm = cuda::ptx::smid() % kMostSms;
    shared[0] = a;  // touched, so that it is there
    atomicMax(&residents->most[sm], atomicAdd(&residents->now[sm], 1U) + 1);
    atomicAdd(&residents->blocks, 1U);
  }
  float v[kLive];
#pragma unroll
  for (int i = 0; i < kLive; ++i) v[i] = a * static_cast<float>(threadIdx.x + i);
  const std::uint64_t start = cuda::ptx::globaltimer();
#pragma unroll 1
  do {
#pragma unroll
    for (int i = 0; i < kLive; ++i) v[i] = __fmaf_rn(v[i], a, b);
    // Two thousand threads that ask for the time keep new blocks from coming for tens of microseconds.
    __nanosleep(1000);
  } while (cuda::ptx::globaltimer() - start < kHoldNs);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kLive; ++i) sum += v[i];
  __syncthreads();
  if (threadIdx.x == 0) atomicSub(&residents->now[cuda::ptx::smid() % kMostSms], 1U);
  sums[std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x] = sum;
}

using Kernel = void(float, float, Residents*, float*);

Kernel* kernel_for(std::int64_t live) {
  switch (live) {
    case 16:
      return hold<16>;
    case 48:
      return hold<48>;
    case 80:
      return hold<80>;
    case 112:
      return hold<112>;
    case 160:
      return hold<160>;
    default:
      return hold<208>;
  }
}

cuda::SmResources resources(const cuda::DeviceInfo& device) {
  int reserved = 0;
  MICRO_CUDA_CHECK(
      cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device.ordinal));
  return {.threads = device.max_threads_per_sm,
          .blocks = device.max_blocks_per_sm,
          .registers = static_cast<int>(device.registers_per_sm_bytes / 4),
          .shared_bytes = device.shared_per_sm_bytes,
          .reserved_shared_bytes = static_cast<std::size_t>(reserved)};
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  Kernel* kernel = kernel_for(point.number("live"));
  const auto threads = static_cast<int>(point.number("threads"));
  const auto shared = static_cast<std::size_t>(point.number("shared"));
  MICRO_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shared)));
  // All of the array for shared memory, so that only its size limits and not the driver's choice.
  MICRO_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                        cudaSharedmemCarveoutMaxShared));
  cudaFuncAttributes attributes{};
  MICRO_CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  int predicted = 0;
  MICRO_CUDA_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&predicted, kernel, threads, shared));
  if (predicted == 0) throw core::SkipError("no such block fits on an SM of this device");

  const auto sms = static_cast<unsigned>(context.device.sm_count);
  const unsigned blocks = 2 * sms * static_cast<unsigned>(predicted);
  cuda::DeviceBuffer<Residents> residents(1);
  MICRO_CUDA_CHECK(cudaMemsetAsync(residents.data(), 0, residents.size_bytes(), context.stream));
  cuda::DeviceBuffer<float> sums(std::size_t{blocks} * static_cast<std::size_t>(threads));
  kernel<<<blocks, threads, shared, context.stream>>>(1, 0.5F, residents.data(), sums.data());
  MICRO_CUDA_CHECK_LAUNCH("hold");
  std::vector<Residents> result(1);
  cuda::download<Residents>(residents.data(), result, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  std::vector<double> of_sm;
  for (const std::uint32_t most : result[0].most)
    if (most > 0) of_sm.push_back(most);
  if (of_sm.empty()) throw core::MeasureError("no block counted itself");
  const auto limits =
      cuda::residency_limits(resources(context.device),
                             {threads, attributes.numRegs, shared + attributes.sharedSizeBytes});
  const std::string count(core::unit::kCount);
  return {
      .metrics = {{"resident_blocks", count, core::median(of_sm)},
                  {"predicted_blocks", count, static_cast<double>(predicted)},
                  {"blocks_by_registers", count, static_cast<double>(limits.by_registers)},
                  {"blocks_by_shared_memory", count, static_cast<double>(limits.by_shared)},
                  {"blocks_by_threads", count, static_cast<double>(limits.by_threads)},
                  {"blocks_by_block_slots", count, static_cast<double>(limits.by_blocks)}},
      .columns = {{"sm_resident_blocks", count, of_sm}},
      .time_ns = kHoldNs,
      .facts = {{"registers_a_thread", count, static_cast<double>(attributes.numRegs)},
                {"launched_blocks", count, static_cast<double>(blocks)}},
      .checks = {core::check("every block ran", result[0].blocks == blocks && of_sm.size() == sms,
                             std::to_string(result[0].blocks) + " blocks on " +
                                 std::to_string(of_sm.size()) + " SMs")}};
}

std::string refuse(const core::Point& point) {
  constexpr std::int64_t kRegistersOfABlock = 65536;
  const std::int64_t most = kRegistersOfABlock / (point.number("live") + 16) / 32 * 32;
  if (point.number("threads") <= most) return {};
  return std::to_string(point.number("threads")) + " threads with " +
         std::to_string(point.number("live")) +
         " live values need more registers than a block may have; up to " + std::to_string(most) +
         " threads";
}

std::string skip(const core::Point& point, const core::Capacities& capacities) {
  const std::int64_t most = capacities.get("shared");
  if (most == 0 || point.number("shared") <= most) return {};
  return "a block of this device may have " + core::format_bytes(most) + " of shared memory";
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kResidency),
     .question = "how many blocks are resident on an SM, and which resource limits them",
     .method = "blocks count themselves in and out by SM while they hold their resources; median "
               "over SMs of the highest count",
     .axes = {{.name = "threads",
               .unit = "count",
               .meaning = "threads a block",
               .min = 32,
               .max = 1024,
               .multiple_of = 32,
               .automatic = {"256"}},
              {.name = "live",
               .unit = "count",
               .meaning = "values that each thread keeps in registers",
               .allowed = {16, 48, 80, 112, 160, 208},
               .automatic = {"16"}},
              {.name = "shared",
               .unit = "bytes",
               .meaning = "dynamic shared memory a block",
               .min = 16,
               .max = 227 * 1024,
               .multiple_of = 16,
               .automatic = {"1KiB"}}},
     .refuse = refuse,
     .skip = skip,
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 1e-3}; }},
    measure};

}  // namespace
