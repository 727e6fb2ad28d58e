// Question: how many cycles does a value take that the compiler keeps in local memory?
// Method:   one thread; straight lines of 512 links, five in one window and one in the other; the
//           difference, over 2048. round_trip: a link is the store of a register and the load of it
//           back (STL, LDL), as of a spilled value whose next use waits. chase: a link is one load,
//           whose value is the next local address, along a random cycle of 64 words.
// Holds when the final value is the one that the host predicts. Of round_trip the value grows by one
//           after each line, so that a load that did not see the store of its line would show.
// Flaws:    64 words lie in as many 128-byte lines at most (the words of 32 lanes side by side): 8 KiB,
//           which the L1 holds; what a spill costs beyond the L1 is latency/global's question. The
//           addition after each line, 4 cycles over 512 links, stays in the figure.
//
// SASS-ALLOWS-LOCAL
// 512 links in the line between the clock reads, none more: of round_trip each load right after its store, and
// only loads of chase. Before the stop clock a test of what the last one brought, of round_trip plus one.
// SASS-LABEL: Function : {{.*}}local_chainILb0E
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: LDL {{R[0-9]+}}, [R{{[0-9]+}}]
// SASS: LDL [[LAST:R[0-9]+]], [
// SASS-NOT: {{LDL|STL|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LDL|STL}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}local_chainILb1E
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-COUNT-511: STL [R{{[0-9]+(\+0x[0-9a-f]+)?\], R[0-9]+.*([[:space:]]+(UIADD3|ISETP|LOP3|SEL).*)?[[:space:]]+LDL R}}
// SASS: STL [R
// SASS: LDL [[LOADED:R[0-9]+]], [
// SASS-NOT: {{LDL|STL|SR_CLOCKLO}}
// SASS: {{VIADD|IADD3}} [[LAST:R[0-9]+]], [[LOADED]], 0x1
// SASS-NOT: {{LDL|STL|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[LAST]]
// SASS-NOT: {{LDL|STL}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <vector>

#include "core/answers.hpp"
#include "core/chain.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/ptx/memory.cuh"
#include "cuda/windows.cuh"

namespace {

using cuda::WindowPlan;
using cuda::WindowRecord;

// Few, for the driver holds them for every thread that the device could run at once.
constexpr std::uint32_t kWords = 64;
constexpr std::uint32_t kWordBytes = 4;
// A straight line of 512 links, once or five times: both windows run the same code, whose edges cancel.
constexpr std::uint32_t kLine = 512;
constexpr std::uint32_t kShortLines = 1;
constexpr std::uint32_t kLongLines = 5;

__host__ __device__ constexpr WindowPlan window_plan() {
  return {.pairs = 32,
          .short_operations = kShortLines * kLine,
          .long_operations = kLongLines * kLine,
          .warm_operations = kLine};
}

/// A round trip stores at `there` and loads at `back`, which is the same, but no compiler knows: else it
/// would take the value from its register.
template <bool kRoundTrip>
__device__ __forceinline__ void walk(std::uint32_t& x, std::uint32_t there, std::uint32_t back,
                                     std::uint32_t lines) {
#pragma unroll 1
  for (std::uint32_t line = 0; line < lines; ++line) {
#pragma unroll
    for (std::uint32_t i = 0; i < kLine; ++i) {
      if constexpr (kRoundTrip) {
        cuda::ptx::store_local(there + i % kWords * kWordBytes, x);
        x = cuda::ptx::load_local(back + i % kWords * kWordBytes);
      } else {
        x = cuda::ptx::load_local(x);
      }
    }
    if constexpr (kRoundTrip) ++x;
  }
}

/// `nothing` is 0.
template <bool kRoundTrip>
__global__ void local_chain(const std::uint32_t* next, std::uint32_t start, std::uint32_t nothing,
                            WindowRecord* record, std::uint32_t* final_value) {
  std::uint32_t words[kWords];
  const std::uint32_t base = cuda::ptx::local_address(words);
  for (std::uint32_t i = 0; i < kWords; ++i) words[i] = base + next[i] * kWordBytes;
  const std::uint32_t back = base + nothing;
  std::uint32_t x = kRoundTrip ? start : base + start * kWordBytes;
  walk<kRoundTrip>(x, base, back, 1);
  cuda::time_windows(window_plan(), record, [&](bool is_long) {
    const std::uint32_t lines = is_long ? kLongLines : kShortLines;
    return cuda::time_window(x,
                             [&](std::uint32_t& at) { walk<kRoundTrip>(at, base, back, lines); });
  });
  *final_value = kRoundTrip ? x : (x - base) / kWordBytes;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial& trial) {
  const std::uint64_t seed =
      core::mix_seed(core::mix_seed(trial.seed, point.id()), trial.repetition);
  const std::vector<std::uint32_t> next = core::random_cycle(kWords, seed);
  if (core::cycle_length(next, 0) != kWords)
    throw core::MeasureError("the chain does not visit every word once");
  const auto start = static_cast<std::uint32_t>(core::mix_seed(seed, 1) % kWords);

  cuda::DeviceBuffer<std::uint32_t> device_next(kWords);
  auto record = cuda::poisoned<WindowRecord>(1, context.stream);
  auto final_value = cuda::poisoned<std::uint32_t>(1, context.stream);
  cuda::upload<std::uint32_t>(next, device_next.data(), context.stream);
  const bool round_trip = point.word("method") == "round_trip";
  auto* kernel = round_trip ? local_chain<true> : local_chain<false>;
  kernel<<<1, 1, 0, context.stream>>>(device_next.data(), start, 0, record.data(),
                                      final_value.data());
  MICRO_CUDA_CHECK_LAUNCH("local chain");
  WindowRecord result;
  std::uint32_t reached = 0;
  cuda::download<WindowRecord>(record.data(), {&result, 1}, context.stream);
  cuda::download<std::uint32_t>(final_value.data(), {&reached, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  const std::uint64_t links = cuda::operations_done(window_plan(), result);
  core::Samples samples = cuda::latency_samples(window_plan(), result);
  const std::uint32_t expected = round_trip ? start + static_cast<std::uint32_t>(links / kLine)
                                            : core::follow(next, start, links % kWords);
  samples.checks.push_back(
      core::check("final value", reached == expected, "what the host predicts after all links"));
  samples.facts.push_back({"span", std::string(core::unit::kBytes), kWords * kWordBytes});
  samples.facts.push_back({"links", std::string(core::unit::kCount), static_cast<double>(links)});
  return samples;
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kLocalLatency),
     .question = "how many cycles a value takes that is kept in local memory, as a spilled one is",
     .method = "dependent links in local memory, one thread, difference of two window lengths",
     .axes = {{.name = "method",
               .unit = "",
               .meaning = "round_trip: a store and the load of it back; chase: the loaded value is "
                          "the next address",
               .words = {"round_trip", "chase"},
               .automatic = {"round_trip", "chase"}}},
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 5e-3}; }},
    measure};

}  // namespace
