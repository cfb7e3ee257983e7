#include "registry/pylock.h"

#include "fuzz/fuzz_target.h"

using namespace curupira;
using namespace curupira::registry;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto packages = read_pylock(fuzz::text_of(data, size), "/scratch");
  if (!packages) return 0;
  for (const PylockPackage& package : *packages) {
    fuzz::require(!package.wheels.empty(), "a package has a wheel");
    for (const LockedWheel& wheel : package.wheels) {
      fuzz::require(!wheel.digests.empty(), "a digest vouches for every wheel");
      fuzz::require(wheel.file_name.find('/') == std::string::npos, "a file name is no path");
      const auto* path = std::get_if<std::filesystem::path>(&wheel.location);
      fuzz::require(path == nullptr || path->is_absolute(), "paths are absolute");
    }
  }
  return 0;
}
