#include <utility>

#include "core/chain.hpp"
#include "run/runner.hpp"

namespace run {

std::vector<std::pair<std::size_t, int>> order(const std::vector<Task>& tasks, std::uint64_t seed) {
  std::vector<std::pair<std::size_t, int>> pairs;
  const std::uint64_t order_seed = core::mix_seed(seed, "order");
  for (int round = 0;; ++round) {
    const std::size_t begin = pairs.size();
    for (std::size_t i = 0; i < tasks.size(); ++i)
      if (tasks[i].skip_reason.empty() && round < tasks[i].repetitions)
        pairs.emplace_back(i, round);
    if (pairs.size() == begin) return pairs;
    // A seed for each round: a round does not depend on what the rounds before it held.
    core::Random random(core::mix_seed(order_seed, static_cast<std::uint64_t>(round)));
    for (std::size_t left = pairs.size() - begin; left > 1; --left)
      std::swap(pairs[begin + left - 1], pairs[begin + random.below(left)]);
  }
}

}  // namespace run
