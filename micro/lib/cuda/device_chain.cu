#include <algorithm>

#include "core/chain.hpp"
#include "core/error.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/device_chain.hpp"
#include "cuda/ptx/memory.cuh"

namespace cuda {
namespace {

__global__ void write_chain(std::byte* base, const std::uint32_t* visit, std::uint32_t nodes) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < nodes;
       i += gridDim.x * blockDim.x) {
    const std::uint32_t after = i + 1 == nodes ? 0 : i + 1;
    const std::uint64_t line = visit[after];
    std::byte* const node = base + std::uint64_t{visit[i]} * kLineBytes;
    *reinterpret_cast<std::uint64_t*>(node) =
        reinterpret_cast<std::uint64_t>(base) + line * kLineBytes;
    reinterpret_cast<std::uint32_t*>(node)[kIndexWord] =
        static_cast<std::uint32_t>(line * kWordsPerLine + kIndexWord);
  }
}

// Word i holds i, modulo 2^32.
__global__ void number_words(uint4* place, std::size_t vectors) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < vectors;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const auto word = static_cast<std::uint32_t>(4 * i);
    ptx::store_vector(place + i, {word, word + 1, word + 2, word + 3});
  }
}

__global__ void add_words(const uint4* place, std::size_t vectors, unsigned long long* sum) {
  unsigned long long own = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < vectors;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const uint4 v = ptx::load_vector<ptx::Operator::cg>(place + i);
    own += std::uint64_t{v.x} + v.y + v.z + v.w;
  }
  atomicAdd(sum, own);
}

// Sum of 0, 1, ... words - 1, each modulo 2^32.
std::uint64_t sum_of_numbers(std::uint64_t words) {
  const auto up_to = [](std::uint64_t count) {  // count <= 2^32: the product fits
    return count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
  };
  constexpr std::uint64_t kWrap = std::uint64_t{1} << 32;
  return words / kWrap * up_to(kWrap) + up_to(words % kWrap);
}

}  // namespace

DeviceChain lay_chain(std::byte* base, std::uint32_t lines, std::uint32_t nodes, std::uint64_t seed,
                      cudaStream_t stream) {
  DeviceChain chain{.base = base, .visit = core::random_visit(lines, nodes, seed)};
  if (!core::visits_each_once(chain.visit, lines))
    throw core::MeasureError("the chain does not visit every line once");
  DeviceBuffer<std::uint32_t> visit(nodes);
  upload<std::uint32_t>(chain.visit, visit.data(), stream);
  write_chain<<<1024, 256, 0, stream>>>(base, visit.data(), nodes);
  MICRO_CUDA_CHECK_LAUNCH("write_chain");
  MICRO_CUDA_CHECK(cudaStreamSynchronize(stream));
  return chain;
}

WindowPlan chase_plan(std::uint64_t nodes, std::uint64_t unroll, bool is_sparse) {
  const auto round_up = [unroll](std::uint64_t value) {
    return (value + unroll - 1) / unroll * unroll;
  };
  WindowPlan plan;
  const std::uint64_t share = nodes / (3 * plan.pairs);
  const std::uint64_t laps = nodes <= 1 << 15 ? 2 : 1;
  plan.short_operations =
      is_sparse ? share / unroll * unroll : std::max<std::uint64_t>(unroll, round_up(share + 1));
  plan.long_operations = 2 * plan.short_operations;
  plan.warm_operations = is_sparse ? 0 : round_up(std::max<std::uint64_t>(laps * nodes, 1024));
  return plan;
}

core::Check flush_through(std::byte* place, std::size_t bytes, cudaStream_t stream) {
  const std::size_t vectors = bytes / sizeof(uint4);
  DeviceBuffer<unsigned long long> sum(1);
  MICRO_CUDA_CHECK(cudaMemsetAsync(sum.data(), 0, sum.size_bytes(), stream));
  number_words<<<1024, 256, 0, stream>>>(reinterpret_cast<uint4*>(place), vectors);
  MICRO_CUDA_CHECK_LAUNCH("number_words");
  add_words<<<1024, 256, 0, stream>>>(reinterpret_cast<const uint4*>(place), vectors, sum.data());
  MICRO_CUDA_CHECK_LAUNCH("add_words");
  unsigned long long read = 0;
  download<unsigned long long>(sum.data(), {&read, 1}, stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(stream));
  return core::check("cache flushed", read == sum_of_numbers(vectors * 4),
                     "the sum of all words that were read to fill the last cache");
}

}  // namespace cuda
