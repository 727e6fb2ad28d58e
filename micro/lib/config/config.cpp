#include "config/config.hpp"

#include <fmt/format.h>

#include <utility>

#include "config/document.hpp"
#include "config/normalise.hpp"
#include "config/overlay.hpp"
#include "config/schema.hpp"
#include "core/sha256.hpp"

namespace config {
namespace {

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code missing;  // then it is not the same
  return std::filesystem::equivalent(a, b, missing);
}

// The file that `child` names under extends. What is wrong with it ends the reading: without the
// parent every key that it would have brought would be reported as missing.
std::optional<Node> parent_of(const Node& child, const std::filesystem::path& file,
                              Mistakes& mistakes) {
  const Node* extends = child.find("extends");
  if (!extends) return {};
  const auto refuse = [&](std::string what) {
    mistakes.add(extends->place, "extends", std::move(what));
    mistakes.throw_all();
  };
  if (extends->type != Node::Type::scalar || extends->text.empty())
    refuse("names no file; write the name of one, relative to this file");
  const std::filesystem::path parent_file = file.parent_path() / extends->text;
  if (same_file(parent_file, file))
    refuse(fmt::format("a circle: {} extends itself", file.string()));
  std::string text;
  try {
    text = read_file(parent_file);
  } catch (const Errors& errors) {
    refuse(fmt::format("{} {}", parent_file.string(), errors.all().front().what));
  }
  Node parent = parse(text, parent_file.string(), mistakes);
  if (const Node* further = parent.find("extends")) {
    const std::filesystem::path next = parent_file.parent_path() / further->text;
    if (same_file(next, file) || same_file(next, parent_file))
      refuse(fmt::format("a circle: {} -> {} -> {}", file.string(), parent_file.string(),
                         next.string()));
    refuse(fmt::format("{} itself extends {}; one level is allowed", parent_file.string(),
                       further->text));
  }
  return parent;
}

}  // namespace

Config read_text(std::string_view text, const std::string& file_name,
                 const std::vector<std::string>& sets) {
  Mistakes mistakes;
  Node root = parse(text, file_name, mistakes);
  auto parent = parent_of(root, file_name, mistakes);
  if (parent) root = extended(std::move(*parent), std::move(root));
  for (const std::string& set : sets) apply_set(root, set, mistakes);
  Config config = typed(root, mistakes);
  mistakes.throw_if_any();
  config.name = std::filesystem::path(file_name).stem().string();
  config.place = {.file = file_name};
  config.text = normalised(config);
  config.sha256 = core::sha256(config.text);
  return config;
}

Config read(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  return read_text(read_file(file), file.string(), sets);
}

}  // namespace config
