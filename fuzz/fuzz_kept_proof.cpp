#include "fuzz/fuzz_target.h"
#include "installer/proof_store.h"

using namespace curupira;

// Any bytes are read or refused; what was read is the same after writing and reading again, and it can be
// checked, whatever is in it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Digest digest = digest_of(DigestAlgorithm::sha512, "");
  const auto read = installer::parse_proof(fuzz::text_of(data, size), digest);
  if (!read) return 0;
  const std::string written = installer::proof_text(*read);
  const auto again = installer::parse_proof(written, digest);
  fuzz::require(again.has_value(), "a written proof can be read");
  fuzz::require(installer::proof_text(*again) == written, "it is the same proof");
  if (const auto* const signatures = std::get_if<std::vector<registry::RegistrySignature>>(&read->by))
    for (const auto& signature : *signatures)
      static_cast<void>(registry::check_signature(signature, read->package, read->version, digest));
  if (const auto* const word = std::get_if<registry::RegistryProof>(&read->by)) {
    const auto root = word->metadata.metadata.find("root");
    const std::string own = root == word->metadata.metadata.end() ? "" : root->second;
    static_cast<void>(registry::check_registry_proof(*word, {.root = own}, digest));
  }
  return 0;
}
