#pragma once
// Remarks that stand beside a number, one after the other.

#include <string>

namespace map {

inline void add_note(std::string& note, const std::string& more) {
  if (more.empty()) return;
  note += note.empty() ? more : "; " + more;
}

}  // namespace map
