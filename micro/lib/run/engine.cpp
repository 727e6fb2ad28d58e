#include "run/engine.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <exception>

namespace run {
namespace {

// Rows come in the order of registration, one an entry.
class Collector : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(std::vector<EngineRow>& rows) : rows_(rows) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (next_ < rows_.size()) rows_[next_++].time_ns = run.real_accumulated_time * 1e9;
  }
  std::size_t reported() const { return next_; }

 private:
  std::vector<EngineRow>& rows_;
  std::size_t next_ = 0;
};

// Flags take their defaults from BENCHMARK_* variables: one left over in a shell would shuffle the
// order, list instead of run, or write a file. The program's own arguments never get here.
void pin_flags() {
  static std::array<std::string, 6> words{"engine",
                                          "--benchmark_list_tests=false",
                                          "--benchmark_enable_random_interleaving=false",
                                          "--benchmark_min_warmup_time=0",
                                          "--benchmark_perf_counters=",
                                          "--benchmark_out="};
  std::array<char*, words.size() + 1> arguments{};  // static words: the library keeps a pointer
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  int count = static_cast<int>(words.size());
  benchmark::Initialize(&count, arguments.data());
}

void run_once(benchmark::State& state, const EngineEntry& entry, std::string& error) {
  for (auto _ : state) {
    try {
      state.SetIterationTime(entry.measure_ns() * 1e-9);
      continue;
    } catch (const std::exception& thrown) {
      error = thrown.what();
    } catch (...) {
      error = "something was thrown that is no std::exception";
    }
    if (error.empty()) error = "an exception without a text";
    state.SkipWithError(error.c_str());
    break;
  }
}

}  // namespace

std::vector<EngineRow> run_in_order(const std::vector<EngineEntry>& entries) {
  std::vector<EngineRow> rows(entries.size(), EngineRow{.error = "the engine did not run it"});
  if (entries.empty()) return rows;
  pin_flags();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto* registered = benchmark::RegisterBenchmark(
        entries[i].name.c_str(), [&entry = entries[i], &error = rows[i].error](auto& state) {
          error.clear();
          run_once(state, entry, error);
        });
    registered->Iterations(1)->Repetitions(1)->UseManualTime()->Unit(benchmark::kNanosecond);
  }
  Collector collector(rows);
  benchmark::RunSpecifiedBenchmarks(&collector, nullptr, ".*");
  benchmark::ClearRegisteredBenchmarks();  // they refer to `entries` and `rows`
  return rows;
}

}  // namespace run
