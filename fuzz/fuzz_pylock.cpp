#include "registry/pylock.h"

#include <algorithm>

#include "fuzz/fuzz_target.h"

using namespace curupira;
using namespace curupira::registry;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto wheels = read_pylock(fuzz::text_of(data, size), "/scratch");
  if (!wheels) return 0;
  for (const LockedWheel& wheel : *wheels) {
    fuzz::require(!wheel.digests.empty(), "a digest vouches for every wheel");
    fuzz::require(wheel.file_name.find('/') == std::string::npos, "a file name is no path");
    const auto* path = std::get_if<std::filesystem::path>(&wheel.location);
    fuzz::require(path == nullptr || path->is_absolute(), "paths are absolute");
  }
  const std::string requirements = requirements_of(*wheels);
  const auto lines = static_cast<std::size_t>(std::count(requirements.begin(), requirements.end(), '\n'));
  fuzz::require(lines == wheels->size(), "a wheel is one line");
  return 0;
}
