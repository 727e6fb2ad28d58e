// Question: how long a launch of an empty kernel takes: from kernel to kernel in a stream, from node
//           to node in a graph, and from the host's call until its synchronisation returns, of a
//           kernel that was launched before and of one that never was.
// Method:   stream: 200 launches queued behind a blocker, one interval by events, over 200. graph: the
//           same of one graph with 200 kernel nodes. sync: the host's steady clock around one launch
//           and its synchronisation, 200 times, the median. first: the same of 16 kernels that this
//           process has never launched, and of each once more; the medians, and the one over the other,
//           which the state of the host does not move. There are 128 such kernels, enough for eight
//           repetitions.
// Holds when every kernel ran (each counts).
// Flaws:    an empty kernel with no arguments to speak of; sync depends on the host and on how the
//           driver waits, and the host has states a tenth apart that outlast thousands of launches: more
//           launches in a repetition do not bring repetitions closer, more repetitions find the
//           middle. Where modules are loaded eagerly, as this program asks for unless
//           CUDA_MODULE_LOADING says otherwise, a first launch does not load anything any more: the
//           fact `lazy_loading` tells which it was.
//
// The kernel does nothing but count itself.
// SASS-LABEL: Function : {{.*}}count_launch
// SASS: RED{{.*}}.ADD
// SASS-NOT: {{LDG|STG|BRA}}
// SASS: EXIT
// SASS-LABEL: Function : {{.*}}count_first_launch
// SASS: RED{{.*}}.ADD
// SASS-NOT: {{LDG|STG|BRA}}
// SASS: EXIT

#include <array>
#include <chrono>
#include <utility>

#include "core/answers.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "core/units.hpp"
#include "cuda/buffer.hpp"
#include "cuda/check.hpp"
#include "cuda/context.hpp"
#include "cuda/driver.hpp"
#include "cuda/stream_timer.hpp"

namespace {

constexpr int kLaunches = 200;
constexpr int kSyncs = 200;

__global__ void count_launch(std::uint32_t* launches) { atomicAdd(launches, 1U); }

template <std::size_t kNumber>
__global__ void count_first_launch(std::uint32_t* launches) {
  atomicAdd(launches, 1U);
}

using Kernel = void(std::uint32_t*);

constexpr std::size_t kFresh = 128;
constexpr std::size_t kFreshARepetition = 16;

template <std::size_t... kNumbers>
constexpr std::array<Kernel*, sizeof...(kNumbers)> fresh_kernels(std::index_sequence<kNumbers...>) {
  return {count_first_launch<kNumbers>...};
}

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

double sync_ns(cudaStream_t stream, Kernel* kernel, std::uint32_t* launches) {
  const auto start = std::chrono::steady_clock::now();
  kernel<<<1, 1, 0, stream>>>(launches);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(stream));
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

std::vector<double> time_syncs(cudaStream_t stream, std::uint32_t* launches) {
  std::vector<double> ns;
  for (int i = 0; i < kSyncs; ++i) ns.push_back(sync_ns(stream, count_launch, launches));
  return ns;
}

struct FirstLaunches {
  std::vector<double> first_ns;
  std::vector<double> again_ns;
};

FirstLaunches time_first_launches(cudaStream_t stream, std::uint32_t* launches) {
  static constexpr auto kKernels = fresh_kernels(std::make_index_sequence<kFresh>());
  static std::size_t next = 0;  // a kernel is launched for the first time once in a process
  if (next + kFreshARepetition > kFresh)
    throw core::MeasureError("each of the " + std::to_string(kFresh) +
                             " kernels has been launched in this process: at most " +
                             std::to_string(kFresh / kFreshARepetition) + " repetitions");
  FirstLaunches times;
  for (std::size_t i = 0; i < kFreshARepetition; ++i) {
    Kernel* const kernel = kKernels[next++];
    times.first_ns.push_back(sync_ns(stream, kernel, launches));
    times.again_ns.push_back(sync_ns(stream, kernel, launches));
  }
  return times;
}

core::Samples measure(cuda::Context& context, const core::Point& point, const core::Trial&) {
  const std::string& method = point.word("method");
  cuda::DeviceBuffer<std::uint32_t> launches(1);
  MICRO_CUDA_CHECK(cudaMemsetAsync(launches.data(), 0, launches.size_bytes(), context.stream));
  const auto launch = [&] { count_launch<<<1, 1, 0, context.stream>>>(launches.data()); };
  launch();  // loads the kernel
  MICRO_CUDA_CHECK_LAUNCH("count_launch");
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  const std::string unit(core::unit::kNanoseconds);
  std::vector<double> ns;
  double again_ns = 0;
  core::Samples samples;
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
  } else if (method == "sync") {
    ns = time_syncs(context.stream, launches.data());
    expected += kSyncs;
  } else {
    FirstLaunches times = time_first_launches(context.stream, launches.data());
    ns = std::move(times.first_ns);
    expected += 2 * kFreshARepetition;
    again_ns = core::median(times.again_ns);
    samples.columns = {{"again", unit, std::move(times.again_ns)}};
    samples.facts = {{"lazy_loading", std::string(core::unit::kCount),
                      cuda::module_loading() == "lazy" ? 1.0 : 0.0}};
  }
  std::uint32_t ran = 0;
  cuda::download<std::uint32_t>(launches.data(), {&ran, 1}, context.stream);
  MICRO_CUDA_CHECK(cudaStreamSynchronize(context.stream));

  const double median = core::median(ns);
  samples.metrics = {{"cost", unit, median}};
  if (again_ns > 0)
    samples.metrics = {{"first_over_again", std::string(core::unit::kCount), median / again_ns},
                       {"cost", unit, median},
                       {"again", unit, again_ns}};
  samples.columns.insert(samples.columns.begin(), {"launch", unit, ns});
  samples.time_ns = median;
  samples.checks = {core::check("launches counted", ran == expected, "every kernel ran once")};
  return samples;
}

const cuda::Registered registered{
    {.name = MICRO_PROBE_NAME,
     .answers = std::string(core::answers::kLaunchCost),
     .question = "how long a launch of an empty kernel takes",
     .method = "stream and graph: kernel to kernel by events; sync and first: host clock from call "
               "to return",
     .axes =
         {{.name = "method",
           .unit = "",
           .meaning =
               "back to back in a stream, in a graph, one launch with its synchronisation, or a "
               "kernel's first",
           .words = {"stream", "graph", "sync", "first"},
           .automatic = {"stream", "graph", "sync", "first"}}},
     .cost = [](const core::Point&,
                const core::Capacities&) { return core::Cost{.seconds = 3e-3}; }},
    measure};

}  // namespace
