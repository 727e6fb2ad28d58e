#include "config/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "config/utf8.hpp"
#include "config/wording.hpp"

namespace config {
namespace {

// yaml-cpp takes the end of the text for the closing quote. `mark` is where the value begins, or
// the anchor before it.
bool is_left_open(std::string_view text, const YAML::Mark& mark) {
  std::size_t at = static_cast<std::size_t>(mark.pos) + (text.starts_with("\xef\xbb\xbf") ? 3 : 0);
  if (at < text.size() && text[at] == '&')
    at = text.find_first_not_of(" \t\r\n", text.find_first_of(" \t\r\n", at));
  if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return false;
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '"' || at + 1 >= text.size() || text[at + 1] != quote) return false;
      ++at;  // '' stands for one quote
    }
  }
  return true;
}

// Builds from events and never has yaml-cpp build nodes: the limits stop the parser itself, before
// its recursion or an alias can grow, and marks and quotes of every scalar are seen.
class Builder : public YAML::EventHandler {
 public:
  Builder(std::string_view text, std::string file, Mistakes& mistakes)
      : text_(text), file_(std::move(file)), mistakes_(mistakes) {}

  Node take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      stop(mark, "a second document or stray text begins here; a configuration is one document");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add({.type = Node::Type::null, .place = place(mark)}, anchor, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (tag != "?" && tag != "!") stop_at_tag(mark, tag);
    if (tag == "!" && is_left_open(text_, mark)) stop(mark, "a quote is opened and never closed");
    if (std::ranges::any_of(value, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
      stop(mark, "a value contains a line break or another control character; values are one line");
    add({.type = Node::Type::scalar, .text = value, .in_quotes = tag == "!", .place = place(mark)},
        anchor, mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto at = anchored_.find(anchor);
    if (at == anchored_.end()) stop(mark, "an alias stands inside the value that it names");
    if (open_.size() + at->second.depth > kMaxDepth) stop_too_deep(mark);
    count(at->second.nodes, mark);
    if (!open_.empty()) open_.back().deepest = std::max(open_.back().deepest, at->second.depth + 1);
    add(at->second.node, YAML::NullAnchor, mark, false);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Type::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::Type::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

  [[noreturn]] void stop(const YAML::Mark& mark, std::string what) {
    mistakes_.add(place(mark), {}, std::move(what));
    mistakes_.throw_all();
  }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor;
    YAML::Mark mark;
    std::size_t nodes_before;
    std::size_t deepest;  // depth below this node, itself included
    bool has_key = false;
    std::string key = {};
    Place key_place = {};
  };
  struct Anchored {
    Node node;
    std::size_t nodes;
    std::size_t depth;
  };

  Place place(const YAML::Mark& mark) const {
    if (mark.is_null()) return {.file = file_};
    return {.file = file_, .line = mark.line + 1, .column = mark.column + 1};
  }

  [[noreturn]] void stop_at_tag(const YAML::Mark& mark, const std::string& tag) {
    stop(mark, fmt::format("tag {} is not allowed; write the value alone", quote(tag)));
  }
  [[noreturn]] void stop_too_deep(const YAML::Mark& mark) {
    stop(mark, fmt::format("nested too deeply; at most {} levels", kMaxDepth));
  }

  void count(std::size_t nodes, const YAML::Mark& mark) {
    nodes_ += nodes;
    if (nodes_ > kMaxNodes)
      stop(mark, fmt::format("too many values, aliases written out; at most {}", kMaxNodes));
  }

  bool awaits_key() const {
    return !open_.empty() && open_.back().node.type == Node::Type::map && !open_.back().has_key;
  }

  void open(Node::Type type, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    if (tag != "?" && tag != "!" && !tag.empty()) stop_at_tag(mark, tag);
    // yaml-cpp also takes a bracket that is never closed for the beginning of a key.
    if (awaits_key())
      stop(mark,
           "a list or map stands where a key should, or its bracket is not closed; keys are words");
    if (open_.size() >= kMaxDepth) stop_too_deep(mark);
    open_.push_back({.node = {.type = type, .place = place(mark)},
                     .anchor = anchor,
                     .mark = mark,
                     .nodes_before = nodes_,
                     .deepest = 1});
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    if (!open_.empty()) open_.back().deepest = std::max(open_.back().deepest, done.deepest + 1);
    count(1, done.mark);
    if (done.anchor != YAML::NullAnchor)
      anchored_[done.anchor] = {done.node, nodes_ - done.nodes_before, done.deepest};
    attach(std::move(done.node), done.mark);
  }

  void add(Node node, YAML::anchor_t anchor, const YAML::Mark& mark, bool counted = true) {
    if (counted) count(1, mark);
    if (anchor != YAML::NullAnchor) anchored_[anchor] = {node, 1, 0};
    attach(std::move(node), mark);
  }

  void attach(Node node, const YAML::Mark& mark) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (awaits_key()) {
      if (node.type != Node::Type::scalar || node.text.empty())
        stop(mark, "a key is missing; keys are words");
      parent.has_key = true;
      parent.key = std::move(node.text);
      parent.key_place = place(mark);
      return;
    }
    if (parent.node.type == Node::Type::map) {
      parent.has_key = false;
      if (refuse_key(parent)) return;
      node.key = std::move(parent.key);
      node.key_place = std::move(parent.key_place);
    }
    parent.node.children.push_back(std::move(node));
  }

  bool refuse_key(const Open& parent) {
    if (parent.key == "<<") {
      mistakes_.add(parent.key_place, "<<",
                    "merge keys are not supported; write the keys out, or use extends");
      return true;
    }
    const Node* first = parent.node.find(parent.key);
    if (!first) return false;
    mistakes_.add(parent.key_place, {},
                  fmt::format("duplicate key {}; first on line {}", quote(parent.key),
                              first->key_place.line));
    return true;
  }

  std::string_view text_;
  std::string file_;
  Mistakes& mistakes_;
  Node root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Anchored> anchored_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

}  // namespace

const Node* Node::find(std::string_view child_key) const {
  const auto at = std::ranges::find(children, child_key, &Node::key);
  return at == children.end() ? nullptr : &*at;
}

Node* Node::find(std::string_view child_key) {
  return const_cast<Node*>(std::as_const(*this).find(child_key));
}

Node parse(std::string_view text, const std::string& file, Mistakes& mistakes) {
  const auto refuse = [&](Place place, std::string what) {
    mistakes.add(std::move(place), {}, std::move(what));
    mistakes.throw_all();
  };
  if (text.size() > kMaxFileBytes)
    refuse({.file = file}, fmt::format("is larger than 1 MiB ({} bytes)", text.size()));
  if (const auto bad = first_unreadable(text))
    refuse({.file = file, .line = bad->line, .column = bad->column}, bad->what);

  std::istringstream stream{std::string(text)};
  Builder builder(text, file, mistakes);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder))
      refuse({.file = file}, "is empty; a configuration names at least backend and stanzas");
    parser.HandleNextDocument(builder);  // anything that is left: the builder stops there
  } catch (const YAML::Exception& e) {
    builder.stop(e.mark, fmt::format("no valid YAML: {}", e.msg));
  }
  return builder.take_root();
}

}  // namespace config
