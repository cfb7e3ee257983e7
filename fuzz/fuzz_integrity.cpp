#include "base/digest.h"
#include "fuzz/fuzz_target.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  if (const auto hashes = parse_integrity(text)) {
    for (const Digest& digest : *hashes) {
      fuzz::require(digest.algorithm() == hashes->front().algorithm(), "all hashes are of one algorithm");
      fuzz::require(Digest::from_sri(digest.sri()) == digest, "a digest reads back from its SRI");
      fuzz::require(Digest::from_hex(digest.algorithm(), digest.hex()) == digest,
                    "a digest reads back from hex");
    }
  }
  const auto bytes = base64_decode(text);
  if (bytes) fuzz::require(base64_encode(*bytes) == text, "there is one base64 text for some bytes");
  return 0;
}
