#pragma once
// Sizes and counts queried from the device, by the names that configurations use: `0.4 x l2`.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace core {

/// Names in use: l1 l1_total l2 l3 shared memory free_memory (bytes; l1_total is l1 of all SMs
/// together); sm_count (count; cores on a CPU). `l1` is the data capacity left by the carve-out
/// that the L1 probes choose; `shared` is the most that one block may have.
class Capacities {
 public:
  Capacities() = default;
  Capacities(std::initializer_list<std::pair<const std::string, std::int64_t>> all) : all_(all) {}

  void set(std::string name, std::int64_t value) { all_[std::move(name)] = value; }
  bool has(std::string_view name) const { return all_.find(name) != all_.end(); }
  /// 0 when unknown.
  std::int64_t get(std::string_view name) const {
    const auto at = all_.find(name);
    return at == all_.end() ? 0 : at->second;
  }
  const std::map<std::string, std::int64_t, std::less<>>& all() const { return all_; }

 private:
  std::map<std::string, std::int64_t, std::less<>> all_;
};

}  // namespace core
