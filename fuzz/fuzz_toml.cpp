#include "base/printable.h"
#include "base/toml.h"
#include "fuzz/fuzz_target.h"

using namespace curupira;

namespace {

void look_at(const toml::Table& table) {
  TextPosition before{1, 1};
  for (const auto& entry : table) {
    fuzz::require(is_valid_utf8(entry.name), "a key is valid UTF-8");
    const TextPosition at = entry.key_position;
    fuzz::require(at.line >= 1 && at.column >= 1, "a key has a place");
    fuzz::require(at.line > before.line || (at.line == before.line && at.column >= before.column),
                  "keys stand in the order of the file");
    before = at;
    static_cast<void>(entry.value.to_json());
    if (const auto* inner = entry.value.as_table()) look_at(*inner);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  const auto table = toml::parse(text);
  if (table) {
    look_at(*table);
  } else {
    fuzz::require(table.error().position.line >= 1, "an error has a place");
    fuzz::require(is_valid_utf8(table.error().reason), "an error is valid UTF-8");
  }
  if (is_valid_utf8(text) && text.size() < 1000) {
    const auto quoted = toml::parse(toml::key(text) + " = " + toml::quote(text));
    fuzz::require(quoted && *quoted->find(text)->as_string() == text, "a quoted text is the text");
  }
  return 0;
}
