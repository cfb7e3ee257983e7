#include "base/semver.h"
#include "fuzz/fuzz_target.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Two versions with a line break between them: their order has to make sense too.
  const auto text = fuzz::text_of(data, size);
  const auto end = text.find('\n');
  const auto first = SemVer::parse(text.substr(0, end));
  if (!first) return 0;
  fuzz::require(first->to_string() == text.substr(0, end), "a version is written as it was read");
  fuzz::require(*first == *first, "a version equals itself");
  if (end == std::string_view::npos) return 0;
  if (const auto second = SemVer::parse(text.substr(end + 1))) {
    fuzz::require((*first < *second) == (*second > *first), "the order is the same from both sides");
    fuzz::require((*first == *second) == (*second == *first), "equality is the same from both sides");
  }
  return 0;
}
