#include "base/relative_path.h"
#include "fuzz/fuzz_target.h"
#include "installer/wheel_metadata.h"

using namespace curupira;
using namespace curupira::installer;

/// METADATA, WHEEL, RECORD and entry_points.txt: the same bytes are read as each of them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  if (const auto identity = parse_wheel_identity(text))
    fuzz::require(!identity->name.empty() && !identity->version.empty(), "an identity has both parts");
  static_cast<void>(parse_root_is_purelib(text));
  if (const auto record = parse_wheel_record(text)) {
    std::string written;
    for (const auto& [path, digest] : *record) {
      fuzz::require(!digest || digest->strong(), "a weak digest vouches for nothing");
      if (path.find('\r') == std::string::npos && !path.empty()) written += record_line(path, digest, 1);
    }
    const auto again = parse_wheel_record(written);
    fuzz::require(again.has_value(), "what is written can be read");
    for (const auto& [path, digest] : *again)
      fuzz::require(record->at(path) == digest, "and is the same");
  }
  if (const auto scripts = parse_script_entries(text)) {
    for (const ScriptEntry& script : *scripts) {
      const auto path = RelativePath::parse(script.name);
      fuzz::require(path && path->segments().size() == 1, "a script's name is a file name");
      const std::string words = script.module + script.attribute;
      fuzz::require(words.find_first_of(" \t\r\n;()'\"#\\") == std::string::npos, "no code in a name");
    }
  }
  return 0;
}
