#include "registry/packument.h"

#include "fuzz/fuzz_target.h"

using namespace curupira;
using namespace curupira::registry;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto packument = Packument::parse(fuzz::text_of(data, size), "x");
  if (!packument) return 0;
  for (const char* wanted : {"latest", "*", "^1.0.0", "1.1.0", "next"}) {
    CollectedDiagnostics diagnostics;
    const auto release = packument->choose(wanted, diagnostics);
    if (release) fuzz::require(packument->find(release->version).has_value(), "what is chosen is there");
  }
  return 0;
}
