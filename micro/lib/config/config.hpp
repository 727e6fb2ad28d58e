#pragma once
// The configuration as typed values: what the YAML file says, after `extends` and `--set`, before
// any probe is asked.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"

namespace config {

/// One value of an axis as written: a word, a number in base units, or a size relative to a queried
/// capacity ("0.4 x l2"). Parsed further by plan(), which knows the axis and the capacities.
struct Written {
  std::string text = {};
  Place place = {};
};

/// `{range: [1KiB, 4 x l2], scale: log2, points_per_octave: 2}`; `scale: linear` takes `step`
/// instead.
struct Range {
  Written from = {};
  Written to = {};
  enum class Scale { log2, linear } scale = Scale::log2;
  double points_per_octave = 1;
  Written step = {};
  Place place = {};
};

struct AxisChoice {
  std::string axis;
  bool automatic = false;  // `auto`
  std::vector<Written> values = {};
  std::vector<Range> ranges =
      {};  // values and ranges may stand in one list; the union is sorted and deduplicated
  Place place = {};
};

struct Stanza {
  std::string probe = {};
  std::vector<AxisChoice> axes = {};
  std::optional<int> repetitions = {};
  Place place = {};
  Place probe_place = {};
};

struct Config {
  std::string name;     // the file's stem: "h200"
  std::string backend;  // cuda, host, model
  std::string device;   // what it is meant for: h100, h200 (config/known_devices.hpp), or "any"
  std::uint64_t seed = 1;
  int repetitions = 5;
  double max_minutes = 0;  // 0: no limit
  std::string output = "auto";
  std::vector<Stanza> stanzas = {};
  Place place = {};  // of the file

  std::string text;  // normalised YAML after extends and --set: what --print-config prints and the
                     // result records
  std::string sha256;  // of `text`
};

/// Reads FILE strictly. Throws Errors with every mistake found in one pass. `sets` are "a.b=value"
/// from --set.
Config read(const std::filesystem::path& file, const std::vector<std::string>& sets = {});

/// The same for text that is already here: a recorded configuration. `file_name` stands in the
/// places, gives the name, and `extends` is relative to its folder.
Config read_text(std::string_view text, const std::string& file_name,
                 const std::vector<std::string>& sets = {});

}  // namespace config
