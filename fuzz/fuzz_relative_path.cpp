#include "base/relative_path.h"
#include "fuzz/fuzz_target.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = RelativePath::parse(fuzz::text_of(data, size));
  if (!path) return 0;
  const auto normal = std::filesystem::path(path->text()).lexically_normal();
  fuzz::require(normal.is_relative() && *normal.begin() != "..", "the path stays below its folder");
  fuzz::require(normal.string() == path->text(), "the path is normal");
  fuzz::require(path->segments().back() == path->file_name(), "the last segment is the name");
  const auto again = RelativePath::parse(path->text());
  fuzz::require(again == *path, "the text of a path is the path");
  return 0;
}
