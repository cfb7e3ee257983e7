#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "manifest/receipt.h"

// Any bytes are read or refused; what was read is the same after writing and reading again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace curupira;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = manifest::parse_receipt(text);
  if (!read) return 0;
  const std::string written = json::write(manifest::to_json(*read));
  const auto again = manifest::parse_receipt(written);
  if (!again || json::write(manifest::to_json(*again)) != written) std::abort();
  return 0;
}
