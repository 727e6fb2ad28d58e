// Question: how many cycles until a load from global memory returns, by footprint: L1, L2, HBM.
// Method:   one thread chases one random cycle over the footprint's 128-byte lines; the difference of
//           two window lengths, over the hops between them. pointer: the loaded value is the next
//           address (64 bits). index: it is a 32-bit index, and one multiply-add makes the address of
//           it, as in `i = a[i]`. Up to 4 x L2 every line is in the cycle and warm laps come first;
//           above that 2^20 lines spread evenly over the footprint are visited once each, the L2
//           having been filled with others.
// Holds when the final address (index) is the one the host predicts, and the clock ran steadily.
// Flaws:    a loop average, not a distribution (latency/access times each); one SM (recorded), so its
//           distance to the L2 slices is in the figure; ca, cg, nc and volatile are hints (counters
//           prove the level); from half the L2 upwards a mix that includes HBM; the HBM figure
//           includes the translation level that the footprint reaches. What tables give for "L1" is
//           often the index chase: eight cycles of address arithmetic above the pointer's. A volatile
//           load is served by the L2 whatever the footprint, one by nc as one by ca.
//
// Sixteen dependent loads between the clock reads of each window, no other load beside them, and before the
// stop clock a test of what the last one brought. E0: ca, E1: cg, E2: nc, E3: volatile; pointer, index.
// SASS-LABEL: Function : {{.*}}chase{{.*}}OperatorE0{{.*}}MethodE0
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: LDG.E.64.STRONG.SM R
// SASS: LDG.E.64.STRONG.SM [[LAST:R[0-9]+]],
// SASS-NOT: {{LDG|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: LDG
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chase{{.*}}OperatorE0{{.*}}MethodE1
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: IMAD.WIDE.U32 {{R[0-9]+, R[0-9]+, 0x4, R.*([[:space:]]+(UIADD3|ISETP).*)*[[:space:]]+LDG[.]E[.]STRONG[.]SM R}}
// SASS: LDG.E.STRONG.SM [[LAST:R[0-9]+]],
// SASS-NOT: {{LDG|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: LDG
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chase{{.*}}OperatorE1{{.*}}MethodE0
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: LDG.E.64.STRONG.GPU R
// SASS: LDG.E.64.STRONG.GPU [[LAST:R[0-9]+]],
// SASS-NOT: {{LDG|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: LDG
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chase{{.*}}OperatorE1{{.*}}MethodE1
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: IMAD.WIDE.U32 {{R[0-9]+, R[0-9]+, 0x4, R.*([[:space:]]+(UIADD3|ISETP).*)*[[:space:]]+LDG[.]E[.]STRONG[.]GPU R}}
// SASS: LDG.E.STRONG.GPU [[LAST:R[0-9]+]],
// SASS-NOT: {{LDG|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: LDG
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chase{{.*}}OperatorE2{{.*}}MethodE0
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: LDG.E.64.CONSTANT R
// SASS: LDG.E.64.CONSTANT [[LAST:R[0-9]+]],
// SASS-NOT: {{LDG|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: LDG
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chase{{.*}}OperatorE2{{.*}}MethodE1
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: IMAD.WIDE.U32 {{R[0-9]+, R[0-9]+, 0x4, R.*([[:space:]]+(UIADD3|ISETP).*)*[[:space:]]+LDG[.]E[.]CONSTANT R}}
// SASS: LDG.E.CONSTANT [[LAST:R[0-9]+]],
// SASS-NOT: {{LDG|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: LDG
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chase{{.*}}OperatorE3{{.*}}MethodE0
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: LDG.E.64.STRONG.SYS R
// SASS: LDG.E.64.STRONG.SYS [[LAST:R[0-9]+]],
// SASS-NOT: {{LDG|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: LDG
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}chase{{.*}}OperatorE3{{.*}}MethodE1
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-15: IMAD.WIDE.U32 {{R[0-9]+, R[0-9]+, 0x4, R.*([[:space:]]+(UIADD3|ISETP).*)*[[:space:]]+LDG[.]E[.]STRONG[.]SYS R}}
// SASS: LDG.E.STRONG.SYS [[LAST:R[0-9]+]],
// SASS-NOT: {{LDG|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: LDG
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <algorithm>
#include <type_traits>
#include <vector>

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

enum class Method { pointer, index };

/// What a hop starts from and ends with.
template <Method method>
using Place = std::conditional_t<method == Method::pointer, std::uint64_t, std::uint32_t>;

/// Follows the chain for `hops` hops, a multiple of kUnroll.
template <Operator op, Method method>
__device__ __forceinline__ void walk(Place<method>& at, const std::uint32_t* base,
                                     std::uint64_t hops) {
#pragma unroll 1
  for (std::uint64_t hop = 0; hop < hops; hop += kUnroll)
#pragma unroll
    for (std::uint32_t i = 0; i < kUnroll; ++i) {
      if constexpr (method == Method::pointer)
        at = cuda::ptx::load_pointer<op>(at);
      else
        at = cuda::ptx::load_word<op>(reinterpret_cast<std::uint64_t>(base + at));
    }
}

template <Operator op, Method method>
__global__ void chase(std::uint64_t start, const std::uint32_t* base, WindowPlan plan,
                      WindowRecord* record, std::uint64_t* final_place) {
  auto at = static_cast<Place<method>>(start);
  walk<op, method>(at, base, plan.warm_operations);
  cuda::time_windows(plan, record, [&](bool is_long) {
    const std::uint64_t hops = is_long ? plan.long_operations : plan.short_operations;
    return cuda::time_window(at, [=](Place<method>& x) { walk<op, method>(x, base, hops); });
  });
  *final_place = at;
}

template <Operator op>
auto* kernel_for(bool by_index) {
  return by_index ? chase<op, Method::index> : chase<op, Method::pointer>;
}

auto* kernel_for(const core::Point& point) {
  const std::string& word = point.word("operator");
  const bool by_index = point.word("method") == "index";
  return word == "ca"   ? kernel_for<Operator::ca>(by_index)
         : word == "cg" ? kernel_for<Operator::cg>(by_index)
         : word == "nc" ? kernel_for<Operator::nc>(by_index)
                        : kernel_for<Operator::volatile_>(by_index);
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const auto footprint = point.number("footprint");
  const auto l2 = static_cast<std::int64_t>(context.device.l2_bytes);
  const bool sparse = cuda::is_sparse(footprint, l2);
  const auto lines = static_cast<std::uint32_t>(footprint / cuda::kLineBytes);
  const std::uint32_t nodes = sparse ? std::min(kSparseNodes, lines) : lines;
  const std::size_t flush_bytes = sparse ? static_cast<std::size_t>(2 * l2) : 0;

  std::byte* place =
      context.arena.place(static_cast<std::size_t>(footprint) + flush_bytes, 2 << 20, trial);
  const std::uint64_t seed =
      core::mix_seed(core::mix_seed(trial.seed, point.id()), trial.repetition);
  const cuda::DeviceChain chain = cuda::lay_chain(place, lines, nodes, seed, context.stream);
  std::vector<core::Check> flushed;
  if (sparse)
    flushed.push_back(cuda::flush_through(place + footprint, flush_bytes, context.stream));

  const WindowPlan plan = cuda::chase_plan(nodes, kUnroll, sparse);
  auto record = cuda::poisoned<WindowRecord>(1, context.stream);
  auto final_place = cuda::poisoned<std::uint64_t>(1, context.stream);
  const bool by_index = point.word("method") == "index";
  auto* kernel = kernel_for(point);
  // All of the array for L1; the shared memory that the kernel has is what the smallest carve-out
  // leaves.
  MICRO_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                        cudaSharedmemCarveoutMaxL1));
  kernel<<<1, 1, 0, context.stream>>>(by_index ? chain.word_after(0) : chain.start(),
                                      reinterpret_cast<const std::uint32_t*>(chain.base), plan,
                                      record.data(), final_place.data());
  MICRO_CUDA_CHECK_LAUNCH("chase");
  WindowRecord result;
  std::uint64_t reached = 0;
  cuda::download<WindowRecord>(record.data(), {&result, 1}, context.stream);
  cuda::download<std::uint64_t>(final_place.data(), {&reached, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  const std::uint64_t hops = cuda::operations_done(plan, result);
  core::Samples samples = cuda::latency_samples(plan, result);
  const std::uint64_t expected = by_index ? chain.word_after(hops) : chain.address_after(hops);
  samples.checks.push_back(core::check("final index", reached == expected,
                                       "the line that the host predicts after all hops"));
  samples.checks.insert(samples.checks.end(), flushed.begin(), flushed.end());
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

std::string refuse(const core::Point& point) {
  const auto most = static_cast<std::int64_t>(cuda::kIndexableBytes);
  if (point.word("method") != "index" || point.number("footprint") <= most) return {};
  return "a 32-bit index of words reaches " + core::format_bytes(most) +
         "; larger footprints by method: pointer";
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const auto footprint = point.number("footprint");
  const auto l2 = capacities.get("l2");
  const bool sparse = cuda::is_sparse(footprint, l2);
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
         "random chase, one thread, difference of two window lengths; pointer: 64-bit addresses",
     .axes = {{.name = "operator",
               .unit = "",
               .meaning = "cache operator of the load: ca caches in L1 and L2, cg in L2 only; nc: "
                          "the read-only path; volatile: what others write is seen",
               .words = {"ca", "cg", "nc", "volatile"},
               .automatic = {"ca", "cg"}},
              {.name = "footprint",
               .unit = "bytes",
               .meaning = "memory that the chain visits, every 128-byte line of it",
               .min = 1024,
               .max = std::int64_t{512} << 30,
               .multiple_of = cuda::kLineBytes,
               .automatic = {"16KiB", "8MiB", "4 x l2"}},
              // Last, so that an id without it is the beginning of the pointer's.
              {.name = "method",
               .unit = "",
               .meaning = "pointer: the value is the next address; index: a 32-bit index of which "
                          "the address is computed",
               .words = {"pointer", "index"},
               .automatic = {"pointer"}}},
     .refuse = refuse,
     .cost = cost},
    measure};

}  // namespace
