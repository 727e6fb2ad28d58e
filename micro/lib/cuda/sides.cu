#include <algorithm>

#include "core/error.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/sides.hpp"
#include "cuda/turns.cuh"

namespace cuda {
namespace {

constexpr std::uint32_t kBatch = 32;  // lines that a block takes at once
constexpr unsigned kThreads = 256;

__global__ void take_turns_kernel(Turns turns, std::uint32_t* turn, TurnRecord* records) {
  take_turns(turns, turn, records);
}

struct Share {
  std::uint64_t base;
  const std::uint32_t* lines;
  std::uint32_t count;
  const std::int8_t* side_of_smid;
  int side;               // whose SMs work
  std::uint32_t* ticket;  // next line that nobody has taken
  std::uint32_t zero;     // 0: a load whose address is known to repeat is done once
};

__device__ __forceinline__ bool takes_part(const Share& share) {
  return share.side_of_smid[ptx::smid()] == share.side;
}

__global__ void write_share(Share share) {
  __shared__ std::uint32_t at;
  if (!takes_part(share)) return;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) at = atomicAdd(share.ticket, kBatch);
    __syncthreads();
    if (at >= share.count) break;
    write_lines(share.base, share.lines + at, min(kBatch, share.count - at), 0);
  }
}

// `excess`: what a line's first read took longer than the second, cycles.
__global__ void time_share(Share share, std::int32_t* excess, std::uint32_t* sum) {
  if (threadIdx.x != 0 || !takes_part(share)) return;
  std::uint32_t own = 0;
  for (std::uint32_t at = atomicAdd(share.ticket, kBatch); at < share.count;
       at = atomicAdd(share.ticket, kBatch)) {
    const std::uint32_t end = min(at + kBatch, share.count);
    std::uint32_t page = ~0U;
#pragma unroll 1
    for (std::uint32_t i = at; i < end; ++i) {
      const std::uint32_t line = share.lines[i];
      std::uint32_t value;
      if (line / kLinesPerPage != page) {  // translated before it is timed
        page = line / kLinesPerPage;
        time_access(share.base + std::uint64_t{page} * kLinesPerPage * kLineBytes, value);
      }
      const std::uint64_t address = share.base + std::uint64_t{line} * kLineBytes;
      const std::uint32_t first = time_access(address, value);
      own += value;
      const std::uint32_t second = time_access(address + share.zero, value);
      own += value;
      excess[i] = static_cast<std::int32_t>(first - second);
    }
  }
  atomicAdd(sum, own);
}

// Writes and reads by the SMs of one side.
class SideWork {
 public:
  SideWork(const Context& context, const Sides& sides, std::byte* base)
      : context_(context), table_(sides.smids.back() + std::size_t{1}), tickets_(2), base_(base) {
    upload<std::int8_t>(sides.by_smid(), table_.data(), context.stream);
    MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  }

  /// Has `writer` write `lines`, which are ascending, and the first line of each of their pages.
  void write(const std::vector<std::uint32_t>& lines, int writer) {
    const auto written = upload_lines(with_pages(lines));
    start_over();
    write_share<<<blocks(), kThreads, 0, context_.stream>>>(share_of(written, writer));
    MICRO_CUDA_CHECK_LAUNCH("write_share");
    MICRO_CUDA_CHECK(cudaStreamSynchronize(context_.stream));
  }

  /// The same, and what the first reads of `lines` by the other side then take longer than the second,
  /// cycles. Nothing but the launch is between write and read: with a profiler at work between launches
  /// no read was far.
  std::vector<std::int32_t> excess(const std::vector<std::uint32_t>& lines, int writer) {
    const auto written = upload_lines(with_pages(lines));
    const auto read = upload_lines(lines);
    DeviceBuffer<std::int32_t> device_excess(lines.size());
    DeviceBuffer<std::uint32_t> device_sum(1);
    MICRO_CUDA_CHECK(
        cudaMemsetAsync(device_sum.data(), 0, device_sum.size_bytes(), context_.stream));
    start_over();
    Share reading = share_of(read, 1 - writer);
    ++reading.ticket;
    write_share<<<blocks(), kThreads, 0, context_.stream>>>(share_of(written, writer));
    time_share<<<blocks(), 32, 0, context_.stream>>>(reading, device_excess.data(),
                                                     device_sum.data());
    MICRO_CUDA_CHECK_LAUNCH("write_share, time_share");
    std::vector<std::int32_t> excess(lines.size());
    std::uint32_t sum = 0;
    download<std::int32_t>(device_excess.data(), excess, context_.stream);
    download<std::uint32_t>(device_sum.data(), {&sum, 1}, context_.stream);
    MICRO_CUDA_CHECK(cudaStreamSynchronize(context_.stream));
    std::uint32_t expected = 0;
    for (const std::uint32_t line : lines) expected += 2 * word_of_line(line, 0);
    if (sum != expected)
      throw core::MeasureError("lines whose home was looked for do not hold what was written");
    return excess;
  }

 private:
  unsigned blocks() const { return static_cast<unsigned>(context_.device.sm_count); }

  static std::vector<std::uint32_t> with_pages(const std::vector<std::uint32_t>& lines) {
    std::vector<std::uint32_t> all = lines;
    for (const std::uint32_t line : lines)
      if (const std::uint32_t page = line / kLinesPerPage * kLinesPerPage; all.back() != page)
        all.push_back(page);
    return all;
  }

  DeviceBuffer<std::uint32_t> upload_lines(const std::vector<std::uint32_t>& lines) {
    DeviceBuffer<std::uint32_t> device_lines(lines.size());
    upload<std::uint32_t>(lines, device_lines.data(), context_.stream);
    return device_lines;
  }

  void start_over() {
    MICRO_CUDA_CHECK(cudaMemsetAsync(tickets_.data(), 0, tickets_.size_bytes(), context_.stream));
  }

  Share share_of(const DeviceBuffer<std::uint32_t>& lines, int side) {
    return {.base = reinterpret_cast<std::uint64_t>(base_),
            .lines = lines.data(),
            .count = static_cast<std::uint32_t>(lines.size()),
            .side_of_smid = table_.data(),
            .side = side,
            .ticket = tickets_.data(),
            .zero = 0};
  }

  const Context& context_;
  DeviceBuffer<std::int8_t> table_;
  DeviceBuffer<std::uint32_t> tickets_;
  std::byte* base_;
};

}  // namespace

Division divide(const Context& context, const TurnLines& lines, TurnKernel* kernel) {
  if (kernel == nullptr) kernel = take_turns_kernel;
  const std::vector<std::uint32_t> smids = sms_of(context);
  Division division;
  Sides& sides = division.sides;
  sides.smids = smids;
  sides.side.assign(smids.size(), 0);
  division.after_write[0] = read_in_turns(context, kernel, lines, smids.front(), 1);
  const auto modes = crossings(division.after_write[0]);
  if (!modes) return division;
  sides.threshold = modes->threshold;
  sides.confidence = modes->confidence;
  sides.side = beyond(division.after_write[0], sides.threshold);
  if (sides.side.front() != 0 && context.run_cycles >= kBriefCycles)
    throw core::MeasureError("the SM that wrote the lines reads them as if another had");
  sides.partitions = 2;
  division.after_write[1] = read_in_turns(context, kernel, lines, sides.first_of(1), 1000);
  return division;
}

std::vector<int> homes_of(const Context& context, const Sides& sides, std::byte* base,
                          const std::vector<std::uint32_t>& lines) {
  // Written from one side, a line may take room in both partitions, and read by the other once more.
  const std::size_t at_once =
      std::max<std::size_t>(kBatch, context.device.l2_bytes / 8 / kLineBytes);
  SideWork work(context, sides, base);
  std::vector<std::size_t> order(lines.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return lines[i]; });
  std::vector<int> homes(lines.size(), sides.partitions == 1 ? 0 : kNoSide);
  for (std::size_t first = 0; first < order.size(); first += at_once) {
    const std::size_t end = std::min(first + at_once, order.size());
    std::vector<std::uint32_t> part;
    for (std::size_t i = first; i < end; ++i) part.push_back(lines[order[i]]);
    if (sides.partitions == 1) {
      work.write(part, 0);
      continue;
    }
    const std::vector<std::int32_t> after_0 = work.excess(part, 0);
    const std::vector<std::int32_t> after_1 = work.excess(part, 1);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const bool home_0 = after_0[i] > sides.threshold;
      const bool home_1 = after_1[i] > sides.threshold;
      if (sides.pretended)
        homes[order[first + i]] = static_cast<int>(i % 2);
      else if (home_0 != home_1)
        homes[order[first + i]] = home_0 ? 0 : 1;
    }
  }
  if (10 * static_cast<std::size_t>(std::ranges::count(homes, kNoSide)) > homes.size())
    throw core::MeasureError("over a tenth of the lines has no sure home in the L2");
  return homes;
}

HomeLines lines_at_home(const Context& context, const Sides& sides, std::byte* base,
                        std::uint32_t lines, const std::array<std::size_t, 2>& wanted) {
  std::vector<std::uint32_t> candidates;
  for (std::uint32_t line = 0; line < lines; ++line)
    if (line % kLinesPerPage != 0) candidates.push_back(line);
  const std::vector<int> homes = homes_of(context, sides, base, candidates);
  HomeLines found;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (homes[i] != kNoSide) found[static_cast<std::size_t>(homes[i])].push_back(candidates[i]);
  for (const std::size_t home : {0, 1}) {
    if (found[home].size() < wanted[home])
      throw core::MeasureError("too few lines whose home is sure");
    found[home].resize(wanted[home]);
  }
  return found;
}

}  // namespace cuda
