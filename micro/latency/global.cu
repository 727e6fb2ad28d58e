// Question: how many cycles until a load from global memory returns, by footprint: L1, L2, HBM.
// Method:   one thread chases 64-bit absolute pointers through one random cycle over the footprint's
//           128-byte lines; the difference of two window lengths, over the hops between them. Up to
//           4 x L2 every line is in the cycle and warm laps come first; above that 2^20 lines spread
//           evenly over the footprint are visited once each, the L2 having been filled with others.
// Holds when the final address is the one the host predicts, and the clock ran steadily.
// Flaws:    a loop average, not a distribution; one SM (recorded), so its distance to the L2 slices is
//           in the figure; ca and cg are hints (counters prove the level); from half the L2 upwards
//           a mix that includes HBM; the HBM figure includes the translation level that the
//           footprint reaches.
//
// Sixteen dependent loads between the clock reads of each window, no other load beside them, and before the
// stop clock a test of what the last one brought. E0: ca, E1: cg.
// SASS-LABEL: Function : {{.*}}chase{{.*}}OperatorE0
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: LDG.E.64.STRONG.SM
// SASS: LDG.E.64.STRONG.SM [[LAST:R[0-9]+]],
// SASS-NOT: {{LDG|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LDG}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chase{{.*}}OperatorE1
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: LDG.E.64.STRONG.GPU
// SASS: LDG.E.64.STRONG.GPU [[LAST:R[0-9]+]],
// SASS-NOT: {{LDG|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LDG}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <algorithm>

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/device_chain.hpp"
#include "cuda/ptx/memory.cuh"
#include "cuda/windows.cuh"

namespace {

using cuda::WindowPlan;
using cuda::WindowRecord;
using cuda::ptx::Operator;

constexpr std::uint32_t kUnroll = 16;
constexpr std::uint32_t kSparseNodes = 1 << 20;

/// Follows the chain for `hops` hops, a multiple of kUnroll.
template <Operator op>
__device__ __forceinline__ void walk(std::uint64_t& address, std::uint64_t hops) {
#pragma unroll 1
  for (std::uint64_t hop = 0; hop < hops; hop += kUnroll)
#pragma unroll
    for (std::uint32_t i = 0; i < kUnroll; ++i) address = cuda::ptx::load_pointer<op>(address);
}

template <Operator op>
__global__ void chase(std::uint64_t start, WindowPlan plan, WindowRecord* record,
                      std::uint64_t* final_address) {
  std::uint64_t address = start;
  walk<op>(address, plan.warm_operations);
  cuda::time_windows(plan, record, [&](bool is_long) {
    const std::uint64_t hops = is_long ? plan.long_operations : plan.short_operations;
    return cuda::time_window(address, [hops](std::uint64_t& at) { walk<op>(at, hops); });
  });
  *final_address = address;
}

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

bool is_sparse(std::int64_t footprint, std::int64_t l2) { return l2 > 0 && footprint > 4 * l2; }

WindowPlan plan_for(std::uint64_t nodes, bool sparse) {
  WindowPlan plan;
  // The pairs together walk at least one lap; a sparse chain is walked no further than its end, so
  // that every hop is a fresh line.
  const std::uint64_t share = nodes / (3 * plan.pairs);
  plan.short_operations = sparse ? share / kUnroll * kUnroll
                                 : std::max<std::uint64_t>(kUnroll, round_up(share + 1, kUnroll));
  plan.long_operations = 2 * plan.short_operations;
  const std::uint64_t laps = nodes <= 1 << 15 ? 2 : 1;
  plan.warm_operations =
      sparse ? 0 : round_up(std::max<std::uint64_t>(laps * nodes, 1024), kUnroll);
  return plan;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const auto footprint = point.number("footprint");
  const auto l2 = static_cast<std::int64_t>(context.device.l2_bytes);
  const bool sparse = is_sparse(footprint, l2);
  const auto lines = static_cast<std::uint32_t>(footprint / cuda::kLineBytes);
  const std::uint32_t nodes = sparse ? std::min(kSparseNodes, lines) : lines;
  const std::size_t flush_bytes = sparse ? static_cast<std::size_t>(2 * l2) : 0;

  std::byte* place =
      context.arena.place(static_cast<std::size_t>(footprint) + flush_bytes, 2 << 20, trial);
  const std::uint64_t seed =
      core::mix_seed(core::mix_seed(trial.seed, point.id()), trial.repetition);
  const cuda::DeviceChain chain = cuda::lay_chain(place, lines, nodes, seed, context.stream);
  if (sparse) cuda::read_through(place + footprint, flush_bytes, context.stream);

  const WindowPlan plan = plan_for(nodes, sparse);
  auto record = cuda::poisoned<WindowRecord>(1, context.stream);
  auto final_address = cuda::poisoned<std::uint64_t>(1, context.stream);
  auto* kernel = point.word("operator") == "ca" ? chase<Operator::ca> : chase<Operator::cg>;
  // All of the array for L1; the shared memory that the kernel has is what the smallest carve-out
  // leaves.
  MICRO_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                        cudaSharedmemCarveoutMaxL1));
  kernel<<<1, 1, 0, context.stream>>>(chain.start(), plan, record.data(), final_address.data());
  MICRO_CUDA_CHECK_LAUNCH("chase");
  WindowRecord result;
  std::uint64_t reached = 0;
  cuda::download<WindowRecord>(record.data(), {&result, 1}, context.stream);
  cuda::download<std::uint64_t>(final_address.data(), {&reached, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  const std::uint64_t hops = cuda::operations_done(plan, result);
  core::Samples samples = cuda::latency_samples(plan, result);
  samples.checks.push_back(core::check("final index", reached == chain.address_after(hops),
                                       "the line that the host predicts after all hops"));
  const std::string count(core::unit::kCount);
  const std::string bytes(core::unit::kBytes);
  samples.facts.insert(
      samples.facts.end(),
      {{"nodes", count, static_cast<double>(nodes)},
       {"span", bytes, static_cast<double>(footprint)},
       {"hops", count, static_cast<double>(hops)},
       {"arena_offset", bytes, static_cast<double>(context.arena.offset_of(place))}});
  return samples;
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const auto footprint = point.number("footprint");
  const auto l2 = capacities.get("l2");
  const bool sparse = is_sparse(footprint, l2);
  const double lines = static_cast<double>(footprint) / cuda::kLineBytes;
  const double nodes = sparse ? std::min<double>(kSparseNodes, lines) : lines;
  const double ns = footprint <= capacities.get("l1") ? 18 : footprint <= l2 / 2 ? 150 : 370;
  const double hops = std::max(nodes * (sparse ? 1 : 2), 1024.0);
  return {.memory_bytes = footprint + (sparse ? 2 * l2 : 0),
          .moved_bytes = hops * 32,
          .seconds = std::max(1.2e-3, hops * ns * 1e-9) + nodes * 40e-9 + 1e-3};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kLevelLatency),
     .question = "how many cycles until a load from global memory returns, by footprint",
     .method =
         "pointer chase, 64-bit absolute addresses, one thread, difference of two window lengths",
     .axes = {{.name = "operator",
               .unit = "",
               .meaning = "cache operator of the load: ca caches in L1 and L2, cg in L2 only",
               .words = {"ca", "cg"},
               .automatic = {"ca", "cg"}},
              {.name = "footprint",
               .unit = "bytes",
               .meaning = "memory that the chain visits, every 128-byte line of it",
               .min = 1024,
               .max = std::int64_t{512} << 30,
               .multiple_of = cuda::kLineBytes,
               .automatic = {"16KiB", "8MiB", "4 x l2"}}},
     .cost = cost},
    measure};

}  // namespace
