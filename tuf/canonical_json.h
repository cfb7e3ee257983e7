#pragma once

#include <string>

#include "base/json.h"

namespace curupira::tuf {

/// The one form of a value (OLPC canonical JSON): what is signed, what is verified, and what a key id is the
/// digest of. Members are sorted by their bytes, there are no blanks, and in strings only `"` and `\` are
/// escaped. Error: tuf_syntax for numbers that are not whole.
Result<std::string> canonical_json(const json::Value& value);

}  // namespace curupira::tuf
