#include "registry/package_lock.h"

#include "fuzz/fuzz_target.h"

using namespace curupira;
using namespace curupira::registry;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto platform = manifest::Platform::parse("linux-x86_64").value();
  const auto packages = read_package_lock(fuzz::text_of(data, size), platform);
  if (!packages) return 0;
  for (std::size_t i = 0; i < packages->size(); ++i) {
    const LockedPackage& package = (*packages)[i];
    fuzz::require(package.location.text().starts_with("node_modules/"), "packages are in node_modules");
    fuzz::require(i == 0 || (*packages)[i - 1].location < package.location, "places are sorted and unique");
    fuzz::require(!package.name.empty() && package.name.find("..") != 0, "a name is a name");
  }
  return 0;
}
