#include <cstdint>

#include "fuzz/fuzz_target.h"
#include "registry/oci_manifest.h"
#include "registry/oci_referrers.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  static_cast<void>(registry::parse_oci_index(text));
  static_cast<void>(registry::parse_oci_referrers(text));
  if (const auto tagged = registry::parse_oci_tags(text, registry::max_oci_manifest_bytes)) {
    const auto again = registry::parse_oci_tags(registry::write_oci_tags(*tagged), SIZE_MAX);
    fuzz::require(again && again->size() == tagged->size(), "an index that was read can be written and read");
  }
  const auto manifest = registry::parse_oci_manifest(text);
  if (!manifest) return 0;
  for (const registry::OciDescriptor& layer : manifest->layers) {
    fuzz::require(layer.data.empty() || digest_of(DigestAlgorithm::sha256, layer.data) == layer.digest,
                  "bytes in a manifest are what it says");
  }
  const auto again = registry::parse_oci_manifest(registry::write_oci_manifest(*manifest));
  fuzz::require(again && again->layers == manifest->layers && again->subject == manifest->subject,
                "what was read can be written and read again");
  return 0;
}
