#include <set>

#include "base/printable.h"
#include "fuzz/fuzz_target.h"
#include "runtime/identity.h"
#include "runtime/poll_result.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto value = json::parse(fuzz::text_of(data, size));
  if (!value) return 0;
  const auto item = runtime::parse_poll_result(*value);
  if (!item) {
    fuzz::require(item.error().code() == ErrorCode::extension_protocol, "a bad result breaks the protocol");
    fuzz::require(printable(item.error().detail(), true) == item.error().detail(), "an error is printable");
    return 0;
  }
  if (!*item) return 0;
  std::set<std::string> keys;
  for (const auto& pair : **item) {
    fuzz::require(!pair.key.empty() && pair.key.find('}') == std::string::npos,
                  "a placeholder can name the key");
    fuzz::require(keys.insert(pair.key).second, "keys are unique");
  }
  json::Object again;
  again.set("values", runtime::to_json(**item));
  fuzz::require(runtime::parse_poll_result(again).value() == *item, "an item reads back as it was");
  fuzz::require(runtime::identity_hash(**item).size() == 64, "an identity is a SHA-256");
  return 0;
}
