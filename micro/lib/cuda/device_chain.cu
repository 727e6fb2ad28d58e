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
    const std::uint64_t next =
        reinterpret_cast<std::uint64_t>(base) + std::uint64_t{visit[after]} * kLineBytes;
    *reinterpret_cast<std::uint64_t*>(base + std::uint64_t{visit[i]} * kLineBytes) = next;
  }
}

__global__ void read_all(const uint4* place, std::size_t vectors, std::uint32_t* never) {
  std::uint32_t sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < vectors;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const uint4 v = ptx::load_vector<ptx::Operator::cg>(place + i);
    sum += v.x + v.y + v.z + v.w;
  }
  if (never != nullptr) *never = sum;
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

void read_through(const std::byte* place, std::size_t bytes, cudaStream_t stream) {
  read_all<<<1024, 256, 0, stream>>>(reinterpret_cast<const uint4*>(place), bytes / sizeof(uint4),
                                     nullptr);
  MICRO_CUDA_CHECK_LAUNCH("read_all");
}

}  // namespace cuda
