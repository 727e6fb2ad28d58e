#pragma once
// Synthetic curves with known truth.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/chain.hpp"

namespace curves {

struct Level {
  std::size_t length;
  double value;
};

inline std::vector<double> staircase(const std::vector<Level>& levels) {
  std::vector<double> values;
  for (const Level& level : levels) values.insert(values.end(), level.length, level.value);
  return values;
}

inline std::vector<double> with_noise(std::vector<double> values, double relative,
                                      std::uint64_t seed) {
  core::Random random(seed);
  for (double& value : values) value *= std::exp(relative * random.normal());
  return values;
}

inline std::vector<std::size_t> boundaries(const std::vector<Level>& levels) {
  std::vector<std::size_t> all;
  std::size_t at = 0;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) all.push_back(at += levels[i].length);
  return all;
}

}  // namespace curves
