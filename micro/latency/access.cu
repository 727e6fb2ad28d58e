// Question: how are the latencies of single accesses distributed, by footprint: L1, L2, HBM?
// Method:   one thread follows one random cycle over the footprint's 128-byte lines and reads the clock
//           before and after each load, the second time when the value is there. All accesses are
//           counted by their whole cycles; median, 5th and 95th percentile are reported as read.
//           Footprints as in latency/global: up to 4 x L2 every line and a warm lap, above that
//           fresh lines spread over the footprint after the L2 was filled with others.
// Holds when the final address is the one the host predicts, every access was counted, and no figure
//           lies where the counting ends (2047 cycles).
// Flaws:    what stands between the clock reads beside the load is in every figure: a test of the value,
//           and the reads themselves (`clock_overhead`: two with nothing between). Hence another
//           quantity than a chase's average, seven cycles above it in the L1, and never mixed with it.
//           Published per-access figures of memory that start from a cold footprint include misses of
//           address translation which a random walk over 1 GiB hardly has. Between two accesses lie
//           tens of cycles of counting. One SM; ca and cg are hints.
//
// Nothing between the first clock read and the load, and before the second a test of what the load brought.
// E0: ca, E1: cg.
// SASS-LABEL: Function : {{.*}}time_accesses{{.*}}OperatorE0
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-NOT: {{LDS|STS|LDG|BRA|SR_CLOCKLO}}
// SASS: LDG.E.64.STRONG.SM [[VALUE:R[0-9]+]],
// SASS-NOT: {{LDS|STS|LDG|BRA|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[VALUE]]
// SASS-NOT: {{LDS|STS|LDG|BRA}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-LABEL: Function : {{.*}}time_accesses{{.*}}OperatorE1
// SASS: SR_GLOBALTIMERLO
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO
// SASS-NOT: {{LDS|STS|LDG|BRA|SR_CLOCKLO}}
// SASS: LDG.E.64.STRONG.GPU [[VALUE:R[0-9]+]],
// SASS-NOT: {{LDS|STS|LDG|BRA|SR_CLOCKLO}}
// SASS: ISETP.NE{{.*}} [[VALUE]]
// SASS-NOT: {{LDS|STS|LDG|BRA}}
// SASS: CS2R {{R[0-9]+}}, SR_CLOCKLO

#include <algorithm>
#include <numeric>
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

using cuda::ptx::Operator;

constexpr std::uint32_t kAccesses = 1 << 15;  // a twentieth of them is over a thousand; above 1 ms
constexpr std::uint32_t kSparseNodes = 1 << 17;
constexpr std::uint32_t kLengths = 2048;  // the last counts all longer ones too
constexpr std::uint32_t kEmptyWindows = 256;
// Under a sanitizer an access takes thousands of cycles, and its figure means nothing.
constexpr int kBriefShift = 12;  // counted in steps of 4096 then

struct AccessRecord {
  cuda::ClockReading start;
  cuda::ClockReading stop;
  std::uint64_t final_address;
  std::uint32_t clock_overhead;  // cycles
  std::uint32_t smid;
  std::uint32_t counts[kLengths];  // accesses by their cycles
};

template <Operator op>
__global__ void time_accesses(std::uint64_t start, std::uint64_t warm_hops, int shift,
                              AccessRecord* record) {
  __shared__ std::uint32_t counts[kLengths];
  for (std::uint32_t i = 0; i < kLengths; ++i) counts[i] = 0;
  std::uint64_t at = start;
#pragma unroll 1
  for (std::uint64_t hop = 0; hop < warm_hops; ++hop) at = cuda::ptx::load_pointer<op>(at);
  const cuda::ClockReading first = cuda::read_clocks();
  std::uint32_t* count = counts;
#pragma unroll 1
  for (std::uint32_t i = 0; i < kAccesses; ++i) {
    // The last one is counted before the next one starts: nothing else is on the way to memory then, and
    // while it waits the thread has fetched the instructions that follow.
    if (cuda::ptx::load_shared_now(cuda::ptx::shared_address(count)) > kAccesses) break;
    const std::uint64_t before = cuda::ptx::clock64();
    at = cuda::ptx::load_pointer<op>(at);
    const std::uint64_t length = (cuda::ptx::clock64_after(at) - before) >> shift;
    count = counts + (length < kLengths ? length : kLengths - 1);
    ++*count;
  }
  const cuda::ClockReading last = cuda::read_clocks();
  std::uint64_t least = kLengths;
#pragma unroll 1
  for (std::uint32_t i = 0; i < kEmptyWindows; ++i) {
    const std::uint64_t before = cuda::ptx::clock64();
    const std::uint64_t cycles = cuda::ptx::clock64_after(at) - before;
    least = cycles < least ? cycles : least;
  }
  record->start = first;
  record->stop = last;
  record->final_address = at;
  record->clock_overhead = static_cast<std::uint32_t>(least);
  record->smid = cuda::ptx::smid();
  for (std::uint32_t i = 0; i < kLengths; ++i) record->counts[i] = counts[i];
}

/// The length that `share` of all accesses had at most.
double percentile(const AccessRecord& record, double share) {
  const double wanted = share * kAccesses;
  double seen = 0;
  for (std::uint32_t length = 0; length + 1 < kLengths; ++length) {
    seen += record.counts[length];
    if (seen >= wanted) return length;
  }
  throw core::MeasureError("accesses took longer than can be counted, 2046 cycles");
}

core::Samples samples_of(const AccessRecord& record, int shift) {
  const std::string cycles(core::unit::kCycles);
  const std::string ns(core::unit::kNanoseconds);
  const std::string count(core::unit::kCount);
  const core::Clock clock = cuda::clock_between(record.start, record.stop);
  const auto in_cycles = [shift](double length) {  // the middle of a coarse step
    const int step = 1 << shift;
    return length * step + step / 2;
  };
  const double median = in_cycles(percentile(record, 0.5));
  const double low = in_cycles(percentile(record, 0.05));
  const double high = in_cycles(percentile(record, 0.95));
  const double to_ns = 1e9 / clock.hertz();
  core::Column lengths{"access", cycles, {}};
  core::Column counts{"accesses", count, {}};  // of that many cycles
  for (std::uint32_t i = 0; i < kLengths; ++i) {
    if (record.counts[i] == 0) continue;
    lengths.values.push_back(in_cycles(i));
    counts.values.push_back(record.counts[i]);
  }
  const double counted = std::accumulate(counts.values.begin(), counts.values.end(), 0.0);
  const double overhead = record.clock_overhead;
  return {
      .metrics = {{"median_access", cycles, median},
                  {"p5_access", cycles, low},
                  {"p95_access", cycles, high},
                  {"median_access", ns, median * to_ns},
                  {"p5_access", ns, low * to_ns},
                  {"p95_access", ns, high * to_ns}},
      .columns = {lengths, counts},
      .time_ns = median * to_ns,
      .clock = clock,
      .facts = {{"accesses", count, kAccesses},
                {"clock_overhead", cycles, overhead},
                {"longer_than_counted", count, static_cast<double>(record.counts[kLengths - 1])},
                {"smid", count, static_cast<double>(record.smid)}},
      .checks = {core::check("all accesses counted", counted == kAccesses,
                             "the counts add up to the accesses"),
                 core::check("stop clock waits", shift > 0 || low >= 4 * overhead,
                             "an access takes far longer than the clock reads around it")}};
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

  const std::uint64_t warm_hops = sparse ? 0 : std::max<std::uint64_t>(nodes, 1024);
  auto record = cuda::poisoned<AccessRecord>(1, context.stream);
  auto* kernel =
      point.word("operator") == "ca" ? time_accesses<Operator::ca> : time_accesses<Operator::cg>;
  MICRO_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                        cudaSharedmemCarveoutMaxL1));
  const int shift = context.run_cycles < 1e5 ? kBriefShift : 0;
  kernel<<<1, 1, 0, context.stream>>>(chain.start(), warm_hops, shift, record.data());
  MICRO_CUDA_CHECK_LAUNCH("time_accesses");
  AccessRecord result;
  cuda::download<AccessRecord>(record.data(), {&result, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  core::Samples samples = samples_of(result, shift);
  samples.checks.push_back(
      core::check("final index", result.final_address == chain.address_after(warm_hops + kAccesses),
                  "the line that the host predicts after all accesses"));
  samples.checks.insert(samples.checks.end(), flushed.begin(), flushed.end());
  const std::string bytes(core::unit::kBytes);
  samples.facts.insert(
      samples.facts.end(),
      {{"nodes", std::string(core::unit::kCount), static_cast<double>(nodes)},
       {"span", bytes, static_cast<double>(footprint)},
       {"arena_offset", bytes, static_cast<double>(context.arena.offset_of(place))}});
  return samples;
}

core::Cost cost(const core::Point& point, const core::Capacities& capacities) {
  const auto footprint = point.number("footprint");
  const auto l2 = capacities.get("l2");
  const bool sparse = cuda::is_sparse(footprint, l2);
  const double lines = static_cast<double>(footprint) / cuda::kLineBytes;
  const double nodes = sparse ? std::min<double>(kSparseNodes, lines) : lines;
  const double ns = footprint <= capacities.get("l1") ? 80 : footprint <= l2 / 2 ? 200 : 420;
  const double hops = kAccesses + (sparse ? 0 : nodes);
  return {.memory_bytes = footprint + (sparse ? 2 * l2 : 0),
          .moved_bytes = hops * 32,
          .seconds = hops * ns * 1e-9 + nodes * 40e-9 + 1e-3};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kAccessLatency),
     .question = "how the latencies of single accesses to global memory are distributed",
     .method = "each load of a random chase between two clock reads, which are in the figure",
     .axes = {{.name = "operator",
               .unit = "",
               .meaning = "cache operator of the load: ca caches in L1 and L2, cg in L2 only",
               .words = {"ca", "cg"},
               .automatic = {"ca", "cg"}},
              {.name = "footprint",
               .unit = "bytes",
               .meaning = "memory that the chain visits",
               .min = 1024,
               .max = std::int64_t{512} << 30,
               .multiple_of = cuda::kLineBytes,
               .automatic = {"16KiB", "4MiB", "1GiB"}}},
     .cost = cost},
    measure};

}  // namespace
