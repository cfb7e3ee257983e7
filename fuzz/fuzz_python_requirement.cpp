#include "fuzz/fuzz_target.h"
#include "registry/python_requirement.h"
#include "registry/python_specifiers.h"

using namespace curupira;

// Any line is a requirement or none; whether a version fits it, is answered or not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  const auto requirement = registry::parse_python_requirement(text);
  if (!requirement) return 0;
  fuzz::require(!requirement->name.empty(), "it has a name");
  static_cast<void>(registry::fits_python_specifiers("1.2rc3.post4.dev5+local.6", requirement->specifiers));
  static_cast<void>(registry::fits_python_specifiers(requirement->specifiers, ">=1,<2"));
  return 0;
}
