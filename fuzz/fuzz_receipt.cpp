#include "fuzz/fuzz_target.h"
#include "manifest/receipt.h"

using namespace curupira;

// Any bytes are read or refused; what was read is the same after writing and reading again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = manifest::parse_receipt(fuzz::text_of(data, size));
  if (!read) return 0;
  const std::string written = json::write(manifest::to_json(*read));
  const auto again = manifest::parse_receipt(written);
  fuzz::require(again.has_value(), "a written receipt can be read");
  fuzz::require(json::write(manifest::to_json(*again)) == written, "it is the same receipt");
  return 0;
}
