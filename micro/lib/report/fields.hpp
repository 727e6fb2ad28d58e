#pragma once
// Reading keys of a result file: every complaint names the key and the way to it.

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/json.hpp"

namespace report {

/// Throws std::invalid_argument: "key 'x' is missing".
const core::Json& field(const core::Json& json, const char* key);

/// The value of a key. Throws std::invalid_argument: "key 'x' is missing", "key 'x' is no text".
std::string text(const core::Json& json, const char* key);
bool truth(const core::Json& json, const char* key);
/// A whole number; null counts as 0 ("none known").
std::int64_t whole(const core::Json& json, const char* key);
/// Null is not-a-number: that is how it was written.
double number(const core::Json& json, const char* key);
std::vector<std::string> texts(const core::Json& json, const char* key);
/// Throws unless the key holds an array.
const core::Json& list(const core::Json& json, const char* key);

/// Runs `read`, and puts `where` before whatever it complains of: "map: levels[2]: key 'name' is
/// missing".
template <typename Read>
auto inside(const std::string& where, Read read) {
  try {
    return read();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(where + ": " + error.what());
  } catch (const core::Json::exception&) {
    throw std::invalid_argument(where + ": a value has the wrong type");
  }
}

/// Every element of the array `key` through `read`.
template <typename Read>
auto each(const core::Json& json, const char* key, Read read) {
  std::vector<decltype(read(json))> all;
  std::size_t index = 0;
  for (const core::Json& one : list(json, key)) {
    all.push_back(inside(key + ("[" + std::to_string(index) + "]"), [&] { return read(one); }));
    ++index;
  }
  return all;
}

}  // namespace report
