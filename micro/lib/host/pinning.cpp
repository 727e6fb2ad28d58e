#include "host/pinning.hpp"

#include <sched.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace host {
namespace {

constexpr int kMostCpus = 8192;

struct FreeSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using Set = std::unique_ptr<cpu_set_t, FreeSet>;

// Sized by hand: cpu_set_t itself ends at CPU 1023.
Set empty_set() {
  Set set(CPU_ALLOC(kMostCpus));
  CPU_ZERO_S(CPU_ALLOC_SIZE(kMostCpus), set.get());
  return set;
}

std::string set_affinity(const std::vector<int>& cpus) {
  const Set set = empty_set();
  for (const int cpu : cpus) CPU_SET_S(cpu, CPU_ALLOC_SIZE(kMostCpus), set.get());
  if (sched_setaffinity(0, CPU_ALLOC_SIZE(kMostCpus), set.get()) == 0) return {};
  return std::string("sched_setaffinity: ") + std::strerror(errno);
}

int parse_cpu(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value >= kMostCpus)
    throw std::invalid_argument("'" + std::string(text) + "' is no CPU number");
  return value;
}

}  // namespace

std::vector<int> allowed_cpus() {
  const Set set = empty_set();
  std::vector<int> cpus;
  if (sched_getaffinity(0, CPU_ALLOC_SIZE(kMostCpus), set.get()) != 0) return cpus;
  for (int cpu = 0; cpu < kMostCpus; ++cpu)
    if (CPU_ISSET_S(cpu, CPU_ALLOC_SIZE(kMostCpus), set.get())) cpus.push_back(cpu);
  return cpus;
}

std::vector<int> parse_cpu_list(const std::string& text) {
  std::vector<int> cpus;
  std::string_view rest(text);
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == ' ')) rest.remove_suffix(1);
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const auto dash = part.find('-');
    const int first = parse_cpu(part.substr(0, dash));
    const int last = dash == std::string_view::npos ? first : parse_cpu(part.substr(dash + 1));
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

ScopedPin::ScopedPin(int cpu) : before_(allowed_cpus()), refused_(set_affinity({cpu})) {}

ScopedPin::~ScopedPin() {
  if (refused_.empty() && !before_.empty()) set_affinity(before_);
}

}  // namespace host
