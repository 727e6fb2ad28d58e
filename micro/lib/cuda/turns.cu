#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/turns.cuh"

namespace cuda {
namespace {

constexpr unsigned kThreads = 256;

__global__ void say_where(std::uint32_t* smids) {
  if (threadIdx.x == 0) smids[blockIdx.x] = ptx::smid();
}

void launch_alone(const Context& context, const void* kernel, void** arguments) {
  const std::size_t bytes = bytes_to_be_alone(context.device);
  MICRO_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(bytes)));
  MICRO_CUDA_CHECK(cudaLaunchCooperativeKernel(kernel,
                                               static_cast<unsigned>(context.device.sm_count),
                                               kThreads, arguments, bytes, context.stream));
}

void check_apart(const std::vector<std::uint32_t>& sorted_smids) {
  if (std::ranges::adjacent_find(sorted_smids) != sorted_smids.end())
    throw core::MeasureError("blocks that need an SM each did not get one each");
}

// The list of every block: the pages' first lines, then its own or everyone's.
struct Lists {
  std::vector<std::uint32_t> lines;
  std::uint32_t count = 0;   // a block
  std::uint32_t stride = 0;  // between two blocks' lists
};

Lists lists_of(const TurnLines& lines, std::size_t blocks) {
  const std::size_t own = lines.each_its_own ? lines.lines.size() / blocks : lines.lines.size();
  Lists lists;
  for (std::size_t block = 0; block < (lines.each_its_own ? blocks : 1); ++block) {
    lists.lines.insert(lists.lines.end(), lines.pages.begin(), lines.pages.end());
    const auto first = lines.lines.begin() + static_cast<std::ptrdiff_t>(block * own);
    lists.lines.insert(lists.lines.end(), first, first + static_cast<std::ptrdiff_t>(own));
  }
  lists.count = static_cast<std::uint32_t>(lines.pages.size() + own);
  lists.stride = lines.each_its_own ? lists.count : 0;
  if (own == 0 || lists.count > kMaxTurnLines)
    throw core::MeasureError("lines of a turn: 1 to 128 with their pages");
  return lists;
}

// Of the block whose turn came last, and whose kernel took longest.
core::Clock clock_of(const std::vector<TurnRecord>& records) {
  const BlockSpan& span = records.back().span;
  return clock_between(span.start, span.stop);
}

core::Check check_sums(const std::vector<TurnRecord>& records, const Lists& lists,
                       std::uint32_t writer, std::uint32_t stamp) {
  bool right = true;
  for (std::uint32_t block = 0; block < records.size(); ++block) {
    const std::uint32_t* list = lists.lines.data() + std::size_t{block} * lists.stride;
    const std::uint32_t written = stamp + (writer == kNobody ? 0 : block);
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < lists.count; ++i)
      sum += kTurnPasses * word_of_line(list[i], written);
    right = right && records[block].sum == sum;
  }
  return core::check("words read", right, "the sum of what was written just before, for every SM");
}

}  // namespace

std::size_t bytes_to_be_alone(const DeviceInfo& device) {
  return std::min(device.shared_per_sm_bytes / 2 + 1024, device.shared_per_block_optin_bytes);
}

std::vector<std::uint32_t> sms_of(const Context& context) {
  const auto blocks = static_cast<std::size_t>(context.device.sm_count);
  auto smids = poisoned<std::uint32_t>(blocks, context.stream);
  std::uint32_t* argument = smids.data();
  void* arguments[] = {&argument};
  launch_alone(context, reinterpret_cast<const void*>(say_where), arguments);
  std::vector<std::uint32_t> found(blocks);
  download<std::uint32_t>(smids.data(), found, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
  std::ranges::sort(found);
  check_apart(found);
  return found;
}

LineReads read_in_turns(const Context& context, TurnKernel* kernel, const TurnLines& lines,
                        std::uint32_t writer, std::uint32_t stamp) {
  const auto blocks = static_cast<std::size_t>(context.device.sm_count);
  const Lists lists = lists_of(lines, blocks);
  DeviceBuffer<std::uint32_t> device_lines(lists.lines.size());
  upload<std::uint32_t>(lists.lines, device_lines.data(), context.stream);
  DeviceBuffer<std::uint32_t> turn(1);
  const std::uint32_t first_turn = writer == kNobody ? 1 : 0;
  upload<std::uint32_t>({&first_turn, 1}, turn.data(), context.stream);
  auto device_records = poisoned<TurnRecord>(blocks, context.stream);

  Turns turns{.base = reinterpret_cast<std::uint64_t>(lines.base),
              .lines = device_lines.data(),
              .stride = lists.stride,
              .count = lists.count,
              .writer = writer,
              .stamp = stamp};
  std::uint32_t* turn_argument = turn.data();
  TurnRecord* records_argument = device_records.data();
  void* arguments[] = {&turns, &turn_argument, &records_argument};
  launch_alone(context, reinterpret_cast<const void*>(kernel), arguments);
  std::vector<TurnRecord> records(blocks);
  download<TurnRecord>(device_records.data(), records, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  LineReads reads{.writer = writer,
                  .lines = lists.count - lines.pages.size(),
                  .clock_overhead = static_cast<double>(records[0].clock_overhead),
                  .clock = clock_of(records),
                  .sums = check_sums(records, lists, writer, stamp)};
  std::ranges::sort(records, {}, [](const TurnRecord& record) { return record.span.smid; });
  for (const TurnRecord& record : records) {
    reads.smids.push_back(record.span.smid);
    reads.turns.push_back(record.span.block);
    for (std::size_t i = lines.pages.size(); i < lists.count; ++i) {
      reads.first.push_back(record.cycles[0][i]);
      reads.later.push_back(std::min(record.cycles[1][i], record.cycles[2][i]));
    }
  }
  check_apart(reads.smids);
  return reads;
}

}  // namespace cuda
