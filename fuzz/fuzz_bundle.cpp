#include "fuzz/fuzz_target.h"
#include "installer/bundle_contents.h"
#include "registry/oci_manifest.h"

using namespace curupira;
using namespace curupira::installer;
using namespace curupira::registry;

namespace {

/// What was read is written and read again byte for byte.
template <class Parse, class Write>
void check(std::string_view text, const Parse& parse, const Write& write) {
  const auto read = parse(text);
  if (!read) return;
  const std::string written = write(*read);
  const auto again = parse(written);
  fuzz::require(again.has_value(), "what was written can be read");
  fuzz::require(write(*again) == written, "it is the same");
}

}  // namespace

// The three texts that a bundle says of itself: any bytes are read or refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  check(text, parse_bundle_contents, write_bundle_contents);
  check(text, parse_oci_manifest, write_oci_manifest);
  check(text, parse_oci_index, [](const OciDescriptor& manifest) { return write_oci_index(manifest, "x"); });
  if (const auto contents = parse_bundle_contents(text)) {
    for (const BundleItem& item : contents->items) {
      fuzz::require(contents->find(item.kind, item.key) == &item, "each thing is there once");
      fuzz::require(item.key.find("..") == std::string::npos, "a key is no path");
      fuzz::require(item.carried || contents->since.has_value(), "what is left out is somewhere else");
    }
  }
  return 0;
}
