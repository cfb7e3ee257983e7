#include "registry/version_range.h"

#include "fuzz/fuzz_target.h"

using namespace curupira;
using namespace curupira::registry;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto range = VersionRange::parse(fuzz::text_of(data, size));
  if (!range) return 0;
  for (const char* text : {"0.0.0", "1.2.3", "1.2.3-rc.1", "9007199254740991.0.0"}) {
    const auto version = SemVer::parse(text);
    if (version) static_cast<void>(range->contains(*version));
  }
  if (const auto exact = range->exact())
    fuzz::require(range->contains(*exact), "a version is in its own range");
  return 0;
}
