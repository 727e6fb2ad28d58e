// The result file itself: text form, compression, names.

#include <algorithm>
#include <cctype>

#include "core/error.hpp"
#include "report/fields.hpp"
#include "report/file.hpp"
#include "report/gzip.hpp"
#include "report/results.hpp"

namespace report {
namespace {

using core::Json;

// Compact. Text that is no UTF-8 (a device may name itself as it likes) is replaced, not refused.
std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// One element a line, so that line tools (diff, grep, sed -n 12p) work on measurements.
void append_lines(std::string& out, const Json& array) {
  out += "[";
  for (std::size_t i = 0; i < array.size(); ++i) {
    out += i == 0 ? "\n" : ",\n";
    out += one_line(array[i]);
  }
  out += array.empty() ? "]" : "\n]";
}

std::string file_text(const Json& json) {
  std::string out = "{";
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    out += (first ? "\n" : ",\n") + Json(key).dump() + ":";
    first = false;
    if (value.is_array())
      append_lines(out, value);
    else
      out += one_line(value);
  }
  return out + "\n}\n";
}

std::string line_and_column(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = before.size() - (start == before.npos ? 0 : start + 1) + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

constexpr int kMaxDepth = 200;  // a result file has ten; without a limit the stack would be one

// Reads without building: only here does a mistake come with its place, also that of a number that
// no double can hold.
class Checker : public nlohmann::json_sax<Json> {
 public:
  explicit Checker(std::string_view text) : text_(text) {}
  const std::string& mistake() const { return mistake_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return deeper(); }
  bool end_object() override { return shallower(); }
  bool start_array(std::size_t) override { return deeper(); }
  bool end_array() override { return shallower(); }

  bool parse_error(std::size_t byte, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const Json::out_of_range*>(&error))
      mistake_ = "has a number that is too large at " +
                 line_and_column(text_, byte - std::min(byte, token.size()) + 1);
    else if (byte > text_.size())
      mistake_ = "is truncated: the JSON ends early";
    else
      mistake_ = "is not JSON: stopped at " + line_and_column(text_, byte);
    return false;
  }

 private:
  bool deeper() {
    if (++depth_ <= kMaxDepth) return true;
    mistake_ = "is nested too deeply; at most " + std::to_string(kMaxDepth) + " levels";
    return false;
  }
  bool shallower() {
    --depth_;
    return true;
  }

  std::string_view text_;
  std::string mistake_;
  int depth_ = 0;
};

Json parse(std::string_view text) {
  if (std::ranges::all_of(text, [](unsigned char c) { return std::isspace(c); }))
    throw std::runtime_error("is empty");
  Checker checker(text);
  if (!Json::sax_parse(text, &checker)) throw std::runtime_error(checker.mistake());
  return Json::parse(text);
}

std::string lower_words(std::string_view name) {
  std::string out;
  for (const unsigned char c : name) {
    if (std::isalnum(c) && c < 128)
      out += static_cast<char>(std::tolower(c));
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

// "GPU-3f2a1b0c-..." -> "3f2a1b0c"
std::string identity(const Context& context) {
  const std::string& uuid = context.before.uuid;
  const std::size_t dash = uuid.find('-');
  const bool prefixed = uuid.starts_with("GPU-") || uuid.starts_with("MIG-");
  std::string digits;
  for (const char c : prefixed ? uuid.substr(dash + 1) : uuid)
    if (std::isxdigit(static_cast<unsigned char>(c)) && digits.size() < 8)
      digits += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!digits.empty()) return digits;
  const core::Fact* host = core::find(context.host, "hostname");
  const auto* name = host ? std::get_if<std::string>(&host->value) : nullptr;
  return name ? lower_words(*name) : "";
}

// "2026-11-30T20:15:00.123Z" -> "20261130T201500Z"
std::string compact_time(std::string_view utc) {
  std::string out;
  for (const char c : utc.substr(0, utc.find('.')))
    if (std::isdigit(static_cast<unsigned char>(c)) || c == 'T') out += c;
  return out.empty() ? out : out + "Z";
}

}  // namespace

void write(const Results& results, const std::filesystem::path& file) {
  const std::string text = file_text(to_json(results));
  write_file(file, file.extension() == ".gz" ? compress(text) : text);
}

Results read(const std::filesystem::path& file) {
  std::string content = read_file(file);
  try {
    if (is_compressed(content)) content = decompress(content);
    return results_from(parse(content));
  } catch (const core::UsageError& error) {
    throw core::UsageError(file.string() + ": " + error.what());
  } catch (const Json::exception& error) {
    throw core::UsageError(file.string() +
                           ": a value has the wrong type or range: " + error.what());
  } catch (const std::runtime_error& error) {
    throw core::UsageError(file.string() + " " + error.what());
  }
}

std::string default_file_name(const Results& results) {
  std::string name;
  for (const std::string& part :
       {lower_words(results.context.before.device), identity(results.context),
        compact_time(results.context.started_utc)})
    if (!part.empty()) name += (name.empty() ? "" : "_") + part;
  return (name.empty() ? "result" : name) + ".json";
}

}  // namespace report
