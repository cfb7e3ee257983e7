#include "base/signature.h"
#include "fuzz/fuzz_target.h"
#include "registry/npm_keys.h"
#include "registry/registry_signature.h"

using namespace curupira;

// Any answer is read or refused; no key of it vouches for what it did not sign.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto keys = registry::parse_npm_keys(fuzz::text_of(data, size));
  if (!keys) return 0;
  const Digest digest = digest_of(DigestAlgorithm::sha512, "");
  for (const registry::NpmKey& key : *keys) {
    const registry::RegistrySignature signature{.text = registry::signed_text("x", "1.0.0", digest.sri()),
                                                .signature = "AAAA",
                                                .key_id = key.id,
                                                .scheme = key.scheme,
                                                .key = key.key,
                                                .expires = key.expires,
                                                .published = {},
                                                .registry = {},
                                                .obtained = {}};
    fuzz::require(!registry::check_signature(signature, "x", "1.0.0", digest), "nobody signed it");
  }
  return 0;
}
