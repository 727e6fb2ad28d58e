#include "report/fields.hpp"

namespace report {
namespace {

[[noreturn]] void refuse(const char* key, const char* what) {
  throw std::invalid_argument(std::string("key '") + key + "' is " + what);
}

}  // namespace

const core::Json& field(const core::Json& json, const char* key) {
  if (!json.is_object() || !json.contains(key)) refuse(key, "missing");
  return json.at(key);
}

std::string text(const core::Json& json, const char* key) {
  const core::Json& value = field(json, key);
  if (!value.is_string()) refuse(key, "no text");
  return value.get<std::string>();
}

bool truth(const core::Json& json, const char* key) {
  const core::Json& value = field(json, key);
  if (!value.is_boolean()) refuse(key, "neither true nor false");
  return value.get<bool>();
}

std::int64_t whole(const core::Json& json, const char* key) {
  const core::Json& value = field(json, key);
  if (value.is_null()) return 0;
  if (!value.is_number_integer()) refuse(key, "no whole number");
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() >
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    refuse(key, "too large");
  return value.get<std::int64_t>();
}

double number(const core::Json& json, const char* key) {
  const core::Json& value = field(json, key);
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value.is_number()) refuse(key, "no number");
  return value.get<double>();
}

std::vector<std::string> texts(const core::Json& json, const char* key) {
  std::vector<std::string> all;
  for (const core::Json& one : list(json, key)) {
    if (!one.is_string()) refuse(key, "no list of texts");
    all.push_back(one.get<std::string>());
  }
  return all;
}

const core::Json& list(const core::Json& json, const char* key) {
  const core::Json& value = field(json, key);
  if (!value.is_array()) refuse(key, "no list");
  return value;
}

}  // namespace report
