#include "fuzz/fuzz_target.h"
#include "registry/python_marker.h"

using namespace curupira;
using namespace curupira::registry;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto holds = marker_holds(text, {{"sys_platform", "linux"}, {"python_version", "3.11"}});
  if (!holds || text.empty()) return 0;
  const std::string wrapped = "(" + std::string(text) + ")";
  const auto again = marker_holds(wrapped, {{"sys_platform", "linux"}, {"python_version", "3.11"}});
  fuzz::require(!again || *again == *holds, "parentheses around all change nothing");
  return 0;
}
