// Question: how long a launch of an empty kernel takes: from kernel to kernel in a stream, from node
//           to node in a graph, and from the host's call until its synchronisation returns.
// Method:   stream: 200 launches queued behind a blocker, one interval by events, over 200. graph: the
//           same of one graph with 200 kernel nodes. sync: the host's steady clock around one launch
//           and its synchronisation, 200 times, the median.
// Holds when every kernel ran (each counts).
// Flaws:    an empty kernel with no arguments to speak of; sync depends on the host and on how the
//           driver waits.
//
// The kernel does nothing but count itself.
// SASS-LABEL: Function : {{.*}}count_launch
// SASS: RED{{.*}}.ADD
// SASS-NOT: {{LDG|STG|BRA}}
// SASS: EXIT

#include <chrono>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/stream_timer.hpp"

namespace {

constexpr int kLaunches = 200;
constexpr int kSyncs = 200;

__global__ void count_launch(std::uint32_t* launches) { atomicAdd(launches, 1U); }

/// A graph of kLaunches kernels, one after the other.
class LaunchGraph {
 public:
  LaunchGraph(cudaStream_t stream, std::uint32_t* launches) {
    MICRO_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < kLaunches; ++i) count_launch<<<1, 1, 0, stream>>>(launches);
    MICRO_CUDA_CHECK(cudaStreamEndCapture(stream, &graph_));
    MICRO_CUDA_CHECK(cudaGraphInstantiateWithFlags(&executable_, graph_, 0));
  }
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;
  ~LaunchGraph() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }
  void launch(cudaStream_t stream) const { MICRO_CUDA_CHECK(cudaGraphLaunch(executable_, stream)); }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

std::vector<double> time_syncs(cudaStream_t stream, std::uint32_t* launches) {
  std::vector<double> ns;
  for (int i = 0; i < kSyncs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    count_launch<<<1, 1, 0, stream>>>(launches);
    MICRO_CUDA_CHECK(cudaStreamSynchronize(stream));
    ns.push_back(
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count());
  }
  return ns;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  const std::string& method = point.word("method");
  cuda::DeviceBuffer<std::uint32_t> launches(1);
  MICRO_CUDA_CHECK(cudaMemsetAsync(launches.data(), 0, launches.size_bytes(), context.stream));
  const auto launch = [&] { count_launch<<<1, 1, 0, context.stream>>>(launches.data()); };
  launch();  // loads the kernel
  MICRO_CUDA_CHECK_LAUNCH("count_launch");
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  std::vector<double> ns;
  std::uint32_t expected = 1;
  if (method == "stream") {
    ns = {cuda::time_back_to_back(context.stream, kLaunches, launch)};
    expected += kLaunches;
  } else if (method == "graph") {
    const LaunchGraph graph(context.stream, launches.data());
    graph.launch(context.stream);
    MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));
    ns = {cuda::time_back_to_back(context.stream, 1, [&] { graph.launch(context.stream); }) /
          kLaunches};
    expected += 2 * kLaunches;
  } else {
    ns = time_syncs(context.stream, launches.data());
    expected += kSyncs;
  }
  std::uint32_t ran = 0;
  cuda::download<std::uint32_t>(launches.data(), {&ran, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  const std::string unit(core::unit::kNanoseconds);
  const double median = core::median(ns);
  return {.metrics = {{"cost", unit, median}},
          .columns = {{"launch", unit, ns}},
          .time_ns = median,
          .checks = {core::check("launches counted", ran == expected, "every kernel ran once")}};
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kLaunchCost),
     .question = "how long a launch of an empty kernel takes",
     .method = "stream and graph: kernel to kernel by events; sync: host clock from call to return",
     .axes = {{.name = "method",
               .unit = "",
               .meaning =
                   "back to back in a stream, in a graph, or one launch with its synchronisation",
               .words = {"stream", "graph", "sync"},
               .automatic = {"stream", "graph", "sync"}}},
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 3e-3}; }},
    measure};

}  // namespace
