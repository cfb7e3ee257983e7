#pragma once

#include <string>
#include <string_view>

namespace curupira {

/// `*` any text, `?` one character, `[a-z]` and `[!a-z]` one of a set; '/' is a character like any other. A
/// glob that is not complete matches nothing.
bool glob_matches(std::string_view glob, std::string_view text);

/// False for a glob with a set that has no end.
bool glob_is_complete(std::string_view glob);

/// A glob that matches `text` and nothing else.
std::string glob_of_text(std::string_view text);

}  // namespace curupira
