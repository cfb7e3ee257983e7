#include "fuzz/fuzz_target.h"
#include "manifest/manifest.h"

using namespace curupira;

// Any bytes are read or refused; what was read is the same after writing and reading again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  CollectedDiagnostics diagnostics;
  const auto read =
      manifest::parse_manifest(fuzz::text_of(data, size), manifest::manifest_file_name, diagnostics);
  if (!read) return 0;
  const std::string written = manifest::write_manifest(*read);
  const auto again = manifest::parse_manifest(written, manifest::manifest_file_name, diagnostics);
  // A valid manifest of nearly the largest size may be larger when it is written.
  if (!again && again.error().code() == ErrorCode::manifest_too_large) return 0;
  fuzz::require(again.has_value(), "a written manifest can be read");
  fuzz::require(manifest::write_manifest(*again) == written, "it is the same manifest");
  return 0;
}
