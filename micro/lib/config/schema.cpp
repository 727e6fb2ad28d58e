#include "config/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "config/known_devices.hpp"
#include "config/values.hpp"
#include "config/wording.hpp"

namespace config {
namespace {

constexpr std::int64_t kMaxRepetitions = 10'000;
constexpr double kMaxPointsPerOctave = 64;

using Words = std::vector<std::string>;

std::string_view type_name(const Node& node) {
  switch (node.type) {
    case Node::Type::null:
      return "nothing";
    case Node::Type::scalar:
      return node.in_quotes ? "a text in quotes" : "one value";
    case Node::Type::list:
      return "a list";
    case Node::Type::map:
      return "a map";
  }
  return {};
}

class Reader {
 public:
  explicit Reader(Mistakes& mistakes) : mistakes_(mistakes) {}

  Config config(const Node& root) {
    Config config;
    if (root.type != Node::Type::map) {
      wrong(root, {},
            fmt::format("is {}; a configuration is a map with the keys backend and stanzas",
                        type_name(root)));
      return config;
    }
    static const Words keys = {"backend",     "device",      "extends", "seed",
                               "repetitions", "max_minutes", "output",  "stanzas"};
    refuse_other_keys(root, {}, keys);
    static const Words backends = {"cuda", "host", "model"};
    if (const Node* node = root.find("backend"))
      config.backend = one_of(*node, "backend", backends);
    else
      wrong(root, "backend", "is missing; cuda, host or model");
    config.device = "any";
    if (const Node* node = root.find("device")) config.device = device(*node, config.backend);
    if (const Node* node = root.find("seed"))
      config.seed = number(*node, "seed", parse_seed).value_or(1);
    if (const Node* node = root.find("repetitions"))
      config.repetitions = repetitions(*node, "repetitions").value_or(config.repetitions);
    if (const Node* node = root.find("max_minutes"))
      config.max_minutes = number(*node, "max_minutes", parse_decimal).value_or(0);
    if (const Node* node = root.find("output")) config.output = text(*node, "output");
    if (const Node* node = root.find("stanzas")) stanzas(*node, config.stanzas);
    return config;
  }

 private:
  void wrong(const Node& node, std::string path, std::string what) {
    mistakes_.add(node.place, std::move(path), std::move(what));
  }

  void refuse_other_keys(const Node& map, const std::string& path, const Words& keys) {
    for (const Node& child : map.children)
      if (std::ranges::find(keys, child.key) == keys.end())
        mistakes_.add(
            child.key_place, path,
            fmt::format("unknown key {}; {}", quote(child.key), suggestion(child.key, keys)));
  }

  /// Empty after a mistake: no value of a configuration is the empty text.
  std::string text(const Node& node, const std::string& path) {
    if (node.type == Node::Type::scalar && !node.text.empty()) return node.text;
    wrong(node, path,
          node.type == Node::Type::null || node.type == Node::Type::scalar
              ? "has no value; write one"
              : fmt::format("is {}; write one value", type_name(node)));
    return {};
  }

  std::string one_of(const Node& node, const std::string& path, const Words& words) {
    const std::string word = text(node, path);
    if (word.empty() || std::ranges::find(words, word) != words.end()) return word;
    wrong(node, path, fmt::format("{} is not allowed; {}", quote(word), suggestion(word, words)));
    return {};
  }

  template <typename T>
  std::optional<T> number(const Node& node, const std::string& path,
                          Parsed<T> (*parse)(std::string_view)) {
    const std::string written = text(node, path);
    if (written.empty()) return {};
    if (node.in_quotes) {
      wrong(node, path, fmt::format("{} is a text; write a number without quotes", quote(written)));
      return {};
    }
    const Parsed<T> parsed = parse(written);
    if (parsed) return parsed.value;
    wrong(node, path, parsed.mistake);
    return {};
  }

  /// Digits that only fail by their number: the range of the key says more than that of an integer.
  static bool is_beyond_any_integer(const Node& node) {
    if (node.type != Node::Type::scalar || node.in_quotes) return false;
    const std::size_t sign = node.text.starts_with('-') ? 1 : 0;
    return node.text.size() - sign > 18 &&
           node.text.find_first_not_of("0123456789", sign) == std::string::npos;
  }

  std::optional<int> repetitions(const Node& node, const std::string& path) {
    if (is_beyond_any_integer(node)) {
      wrong(node, path, fmt::format("{} is not allowed; 1 to {}", node.text, kMaxRepetitions));
      return {};
    }
    const auto count = number(node, path, parse_integer);
    if (!count) return {};
    if (*count >= 1 && *count <= kMaxRepetitions) return static_cast<int>(*count);
    wrong(node, path, fmt::format("{} is not allowed; 1 to {}", *count, kMaxRepetitions));
    return {};
  }

  std::string device(const Node& node, const std::string& backend) {
    Words words = {"any"};
    for (const KnownDevice& known : known_devices()) words.push_back(known.key);
    const std::string word = one_of(node, "device", words);
    if (!word.empty() && word != "any" && (backend == "host" || backend == "model"))
      wrong(node, "device", fmt::format("{} is a GPU, but the backend is {}; any", word, backend));
    return word;
  }

  void stanzas(const Node& node, std::vector<Stanza>& all) {
    if (node.type != Node::Type::list) {
      wrong(node, "stanzas", fmt::format("is {}; write a list of stanzas", type_name(node)));
      return;
    }
    for (std::size_t i = 0; i < node.children.size(); ++i)
      all.push_back(stanza(node.children[i], fmt::format("stanzas[{}]", i)));
  }

  Stanza stanza(const Node& node, const std::string& path) {
    Stanza stanza{.place = node.place};
    if (node.type != Node::Type::map) {
      wrong(node, path,
            fmt::format("is {}; a stanza is a map with the key probe", type_name(node)));
      return stanza;
    }
    if (!node.find("probe")) missing_probe(node, path);
    for (const Node& child : node.children) {
      const std::string child_path = path + "." + child.key;
      if (child.key == "probe") {
        stanza.probe = text(child, child_path);
        stanza.probe_place = child.place;
      } else if (child.key == "repetitions") {
        stanza.repetitions = repetitions(child, child_path);
      } else {
        stanza.axes.push_back(axis(child, child_path));
      }
    }
    return stanza;
  }

  // Any other key of a stanza may be an axis, so a mistyped one shows only here.
  void missing_probe(const Node& stanza, const std::string& path) {
    Words keys;
    for (const Node& child : stanza.children) keys.push_back(child.key);
    const std::string near = nearest("probe", keys);
    wrong(stanza, path + ".probe",
          near.empty() ? "is missing; name a probe of --list"
                       : fmt::format("is missing; is it meant by {}?", quote(near)));
  }

  AxisChoice axis(const Node& node, const std::string& path) {
    AxisChoice choice{.axis = node.key, .place = node.key_place};
    if (node.type == Node::Type::scalar && node.text == "auto") {
      choice.automatic = true;
    } else if (node.type != Node::Type::list) {
      add_to(choice, node, path);
    } else if (node.children.empty()) {
      wrong(node, path, "names no value; write one, or auto");
    } else {
      for (std::size_t i = 0; i < node.children.size(); ++i)
        add_to(choice, node.children[i], fmt::format("{}[{}]", path, i));
    }
    return choice;
  }

  void add_to(AxisChoice& choice, const Node& node, const std::string& path) {
    if (node.type == Node::Type::map) {
      if (auto read = range(node, path)) choice.ranges.push_back(std::move(*read));
      return;
    }
    const std::string written = text(node, path);
    if (written == "auto")
      wrong(node, path, "auto stands for the whole axis, not inside a list");
    else if (!written.empty())
      choice.values.push_back({.text = written, .place = node.place});
  }

  std::optional<Range> range(const Node& node, const std::string& path) {
    static const Words keys = {"range", "scale", "points_per_octave", "step"};
    refuse_other_keys(node, path, keys);
    Range range{.place = node.place};
    const Node* ends = node.find("range");
    if (!ends || ends->type != Node::Type::list || ends->children.size() != 2) {
      wrong(ends ? *ends : node, path + ".range", "is no list of two ends; write [1KiB, 4 x l2]");
      return {};
    }
    const std::string from = text(ends->children[0], path + ".range[0]");
    const std::string to = text(ends->children[1], path + ".range[1]");
    if (from.empty() || to.empty()) return {};
    range.from = {.text = from, .place = ends->children[0].place};
    range.to = {.text = to, .place = ends->children[1].place};
    if (const Node* scale = node.find("scale"))
      if (one_of(*scale, path + ".scale", {"log2", "linear"}) == "linear")
        range.scale = Range::Scale::linear;
    const bool linear = range.scale == Range::Scale::linear;
    const Node* points = node.find("points_per_octave");
    const Node* step = node.find("step");
    if (linear && points)
      wrong(*points, path + ".points_per_octave", "belongs to scale log2; linear takes step");
    if (!linear && step)
      wrong(*step, path + ".step", "belongs to scale linear; log2 takes points_per_octave");
    if (linear && !step) wrong(node, path + ".step", "is missing; scale linear needs it");
    if (!linear && points) range.points_per_octave = points_per_octave(*points, path);
    if (linear && step) range.step = {.text = text(*step, path + ".step"), .place = step->place};
    return range;
  }

  double points_per_octave(const Node& node, const std::string& path) {
    const auto points = number(node, path + ".points_per_octave", parse_decimal);
    if (points && (*points < 0.01 || *points > kMaxPointsPerOctave))
      wrong(node, path + ".points_per_octave",
            fmt::format("{} is not allowed; 0.01 to {}", format_decimal(*points),
                        kMaxPointsPerOctave));
    return points.value_or(1);
  }

  Mistakes& mistakes_;
};

}  // namespace

Config typed(const Node& root, Mistakes& mistakes) { return Reader(mistakes).config(root); }

}  // namespace config
