#include "fuzz/fuzz_target.h"
#include "registry/simple_index.h"

using namespace curupira;
using namespace curupira::registry;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto page = Url::parse("https://index.example.org/simple/x/");
  const auto files = read_simple_page(fuzz::text_of(data, size), *page);
  if (!files) return 0;
  for (const IndexFile& file : *files) {
    fuzz::require(file.name.find('/') == std::string::npos && !file.name.starts_with('.'),
                  "a file name is no path");
    fuzz::require(file.url.scheme() == "https" || file.url.scheme() == "http", "files come over the network");
    for (const Digest& digest : file.digests)
      fuzz::require(digest.strong(), "a weak digest vouches for nothing");
  }
  return 0;
}
