#pragma once
// The nouns as JSON and back: one form for the journal and for the result file. Not-a-number and
// infinity become null.

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/backend.hpp"
#include "core/measurement.hpp"

namespace core {

using Json = nlohmann::ordered_json;

Json to_json(const Quantity& quantity);
Json to_json(const Facts& facts);
Json to_json(const Point& point);
Json to_json(const Samples& samples);
Json to_json(const Estimate& estimate);
Json to_json(const Repetition& repetition);
Json to_json(const Measurement& measurement);
Json to_json(const Level& level);
Json to_json(const Description& description);

/// The inverse of to_json. Unknown keys are ignored. Throws std::invalid_argument naming the key
/// that is missing or of the wrong type.
Point point_from(const Json& json);
Samples samples_from(const Json& json);
Repetition repetition_from(const Json& json);
Measurement measurement_from(const Json& json);
Description description_from(const Json& json);

}  // namespace core
