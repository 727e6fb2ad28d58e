#pragma once
// Where text goes: data to stdout and checked, messages and progress to stderr.

#include <cstdio>
#include <string>
#include <string_view>

namespace app {

/// Writes to stdout and flushes. Throws core::Error(3) with errno's text: a full disk behind a
/// redirection is not a success.
void print(std::string_view text);

/// One line on stderr: "suite: " and the text. Control characters, line breaks among them, are
/// shown as a space: whatever stands in an argument, a message stays one line.
void say(std::string_view text);
/// The same without "suite: ": a mistake in a file begins with its place, where editors look for it.
void say_plain(std::string_view text);

/// Columns of the terminal behind the stream; 120 when it is none or does not say.
int columns_of(std::FILE* stream);
/// The stream is a terminal that understands cursor movement (TERM is not "dumb").
bool is_terminal(std::FILE* stream);
/// A terminal, and NO_COLOR is not set (https://no-color.org: set and not empty).
bool wants_colour(std::FILE* stream);

}  // namespace app
