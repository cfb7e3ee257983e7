#include "fuzz/fuzz_target.h"
#include "registry/pip_configuration.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::size_t bytes = 0;
  for (const auto& line : registry::parse_pip_config(fuzz::text_of(data, size))) {
    bytes += line.value.size();
  }
  fuzz::require(bytes <= size, "no value is longer than the file");
  return 0;
}
