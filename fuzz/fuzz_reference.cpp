#include "registry/reference.h"

#include "fuzz/fuzz_target.h"

using namespace curupira;
using namespace curupira::registry;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto reference = parse_reference(fuzz::text_of(data, size));
  if (!reference) return 0;
  const std::string normal = to_string(*reference);
  const auto again = parse_reference(normal);
  fuzz::require(again.has_value(), "the normal form is a reference");
  fuzz::require(to_string(*again) == normal, "the normal form is read as itself");
  if (const auto* npm = std::get_if<NpmReference>(&*reference)) {
    fuzz::require(is_npm_package_name(npm->name) && npm->name.front() != '-', "an npm name is no option");
  }
  if (const auto* pip = std::get_if<PipReference>(&*reference)) {
    fuzz::require(pip->name == normalize_pip_name(pip->name), "a pip name is normalised");
    fuzz::require(pip->specifiers.find_first_of(" ;#\\") == std::string::npos,
                  "a requirement is one requirement");
  }
  return 0;
}
