#include "base/json.h"
#include "base/printable.h"
#include "fuzz/fuzz_target.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto value = json::parse(fuzz::text_of(data, size));
  if (!value) {
    fuzz::require(is_valid_utf8(value.error().detail()), "an error is valid UTF-8");
    return 0;
  }
  const std::string compact = json::write(*value);
  fuzz::require(is_valid_utf8(compact), "JSON is valid UTF-8");
  const auto from_compact = json::parse(compact);
  fuzz::require(from_compact == *value, "compact JSON reads back as it was");
  const auto from_pretty = json::parse(json::write_pretty(*value));
  fuzz::require(from_pretty == *value, "indented JSON reads back as it was");
  return 0;
}
