#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "manifest/manifest.h"

// Any bytes are read or refused; what was read is the same after writing and reading again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace curupira;
  CollectedDiagnostics diagnostics;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = manifest::parse_manifest(text, manifest::manifest_file_name, diagnostics);
  if (!read) return 0;
  const std::string written = manifest::write_manifest(*read);
  const auto again = manifest::parse_manifest(written, manifest::manifest_file_name, diagnostics);
  // A valid manifest of nearly the largest size may be larger when it is written.
  if (!again && again.error().code() == ErrorCode::manifest_too_large) return 0;
  if (!again || manifest::write_manifest(*again) != written) std::abort();
  return 0;
}
