#include "fuzz/fuzz_target.h"
#include "registry/package_index.h"
#include "registry/search_index.h"

using namespace curupira;

// Any text is read or refused, as the index of a package and as that of a registry; what was read is the same
// after writing and reading again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  static const registry::PackageName name = *registry::PackageName::parse("@acme/tickets");
  if (const auto index = registry::parse_package_index(text, name)) {
    const auto again = registry::parse_package_index(registry::write_package_index(*index), name);
    fuzz::require(again.has_value(), "a written index can be read");
    fuzz::require(*again == *index, "it is the same index");
    static_cast<void>(index->latest());
  }
  if (const auto index = registry::parse_search_index(text)) {
    const auto again = registry::parse_search_index(registry::write_search_index(*index));
    fuzz::require(again.has_value(), "a written search index can be read");
    fuzz::require(*again == *index, "it is the same search index");
  }
  return 0;
}
