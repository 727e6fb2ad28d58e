#include "config/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/values.hpp"
#include "config/wording.hpp"

namespace config {
namespace {

const Place kSetPlace = {.file = "--set"};

// "stanzas[2].footprint" and "stanzas.2.footprint" -> stanzas, 2, footprint.
std::vector<std::string> path_steps(std::string_view path) {
  std::vector<std::string> steps(1);
  for (const char c : path) {
    if (c == '.' || c == '[')
      steps.emplace_back();
    else if (c != ']')
      steps.back() += c;
  }
  return steps;
}

// The child that one step leads to; one is added for a new key when `may_add`.
Node* step_into(Node& node, const std::string& step, bool may_add, std::string& mistake) {
  if (node.type == Node::Type::list) {
    const auto index = parse_integer(step);
    const auto size = static_cast<std::int64_t>(node.children.size());
    if (index && index.value >= 0 && index.value < size)
      return &node.children[static_cast<std::size_t>(index.value)];
    mistake = size == 0 ? fmt::format("no entry {}; the list is empty", quote(step))
                        : fmt::format("no entry {}; 0 to {}", quote(step), size - 1);
    return nullptr;
  }
  if (node.type != Node::Type::map) {
    mistake = fmt::format("no key {} here; the value before it is no map and no list", quote(step));
    return nullptr;
  }
  if (Node* child = node.find(step)) return child;
  if (may_add) {
    Node& added = node.children.emplace_back();
    added.key = step;
    return &added;
  }
  std::vector<std::string> keys;
  for (const Node& child : node.children) keys.push_back(child.key);
  mistake = fmt::format("no key {}; {}", quote(step), suggestion(step, keys));
  return nullptr;
}

void place_all(Node& node) {
  node.place = kSetPlace;
  if (!node.key.empty()) node.key_place = kSetPlace;
  for (Node& child : node.children) place_all(child);
}

}  // namespace

Node extended(Node parent, Node child) {
  if (parent.type != Node::Type::map || child.type != Node::Type::map) return child;
  for (Node& own : child.children) {
    Node* inherited = parent.find(own.key);
    if (!inherited) {
      parent.children.push_back(std::move(own));
    } else if (own.key == "stanzas" && own.type == Node::Type::list &&
               inherited->type == Node::Type::list) {
      std::ranges::move(own.children, std::back_inserter(inherited->children));
    } else {
      *inherited = std::move(own);
    }
  }
  parent.place = child.place;
  return parent;
}

void apply_set(Node& root, std::string_view set, Mistakes& mistakes) {
  const std::size_t equals = set.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    mistakes.add(kSetPlace, {},
                 fmt::format("{} is no assignment; write it like seed=7 or "
                             "stanzas.0.footprint=4KiB",
                             quote(set)));
    return;
  }
  const std::string path(set.substr(0, equals));
  if (path == "extends") {
    mistakes.add(kSetPlace, path, "cannot be set; it belongs in a file");
    return;
  }
  // Said here: what parse() says of an empty text is meant for a whole file.
  const std::size_t begin = set.find_first_not_of(" \t\r\n", equals + 1);
  if (begin == std::string_view::npos || set[begin] == '#') {
    mistakes.add(kSetPlace, path, "has no value; write one after the =");
    return;
  }
  Node value;
  try {
    Mistakes in_value;
    value = parse(set.substr(equals + 1), kSetPlace.file, in_value);
    in_value.throw_if_any();
  } catch (const Errors& errors) {
    for (const Diagnostic& one : errors.all()) mistakes.add(kSetPlace, path, one.what);
    return;
  }
  place_all(value);

  const std::vector<std::string> steps = path_steps(path);
  Node* at = &root;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::string mistake;
    at = step_into(*at, steps[i], i + 1 == steps.size(), mistake);
    if (!at) {
      mistakes.add(kSetPlace, path, mistake);
      return;
    }
  }
  value.key = std::move(at->key);
  value.key_place = value.key.empty() ? Place{} : kSetPlace;
  *at = std::move(value);
}

}  // namespace config
