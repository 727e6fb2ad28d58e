#pragma once
// YAML text as a small tree with places, read strictly: what YAML's looseness would hide is a
// mistake here (duplicate keys, second documents, merge keys, tags, control characters), and no
// input makes it hang or run out of stack.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"

namespace config {

inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxDepth = 32;      // lists and maps inside each other
inline constexpr std::size_t kMaxNodes = 10'000;  // after aliases are written out

struct Node {
  enum class Type { null, scalar, list, map };
  Type type = Type::null;
  std::string text = {};   // of a scalar, as written
  bool in_quotes = false;  // "7" is a text and no number
  std::vector<Node> children = {};
  Place place = {};
  std::string key = {};  // the name under which this node stands in its map; empty in a list
  Place key_place = {};

  /// The child of that key, or nullptr.
  const Node* find(std::string_view child_key) const;
  Node* find(std::string_view child_key);
};

/// The content of a file. Throws Errors with one diagnostic when it is missing, a directory or no
/// regular file, unreadable, empty or larger than 1 MiB.
std::string read_file(const std::filesystem::path& file);

/// Throws Errors when `text` is no YAML at all, no UTF-8, empty, or beyond a limit. What can be
/// read past (a duplicate key) goes to `mistakes`. `file` stands in the places.
Node parse(std::string_view text, const std::string& file, Mistakes& mistakes);

}  // namespace config
