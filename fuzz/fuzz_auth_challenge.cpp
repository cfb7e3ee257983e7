#include "fuzz/fuzz_target.h"
#include "registry/auth_challenge.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::size_t bytes = 0;
  for (const registry::AuthChallenge& challenge : registry::parse_challenges(fuzz::text_of(data, size))) {
    fuzz::require(!challenge.scheme.empty(), "a challenge has a scheme");
    bytes += challenge.scheme.size();
    for (const auto& [name, value] : challenge.parameters) {
      fuzz::require(!name.empty(), "a parameter has a name");
      bytes += name.size() + value.size();
    }
  }
  fuzz::require(bytes <= size, "nothing is made up");
  return 0;
}
