#include "fuzz/fuzz_target.h"
#include "registry/mirror_index.h"
#include "registry/npm_mirror.h"
#include "registry/python_mirror.h"

using namespace curupira;

namespace {

/// What any registry may say of a package that is mirrored in one version.
void write_packument(std::string_view text) {
  const auto said = json::parse(text);
  if (!said) return;
  static const registry::MirrorFile tarball{.kind = registry::MirrorFile::Kind::tarball,
                                            .path = "npm/hello/-/hello-1.0.0.tgz",
                                            .package = "hello",
                                            .version = "1.0.0",
                                            .integrity = digest_of(DigestAlgorithm::sha256, "hello").sri(),
                                            .sha256 = digest_of(DigestAlgorithm::sha256, "hello")};
  registry::MirroredPackage package{.name = "hello", .base = "https://mirror.example.org/"};
  package.tarballs.emplace("1.0.0", &tarball);
  for (const bool before : {true, false}) {
    package.before = before ? &*said : nullptr;
    package.upstream = before ? nullptr : &*said;
    const auto page = registry::mirrored_packument(package);
    if (!page) continue;
    fuzz::require(page->find('<') == std::string::npos, "a packument is no HTML");
    const auto again = json::parse(*page);
    fuzz::require(again.has_value(), "a packument is JSON");
    fuzz::require(again->find("versions")->as_object()->size() == 1, "it has the mirrored version only");
  }
}

}  // namespace

// Any text is read or refused, as the index of a mirror and as a page of one; what a registry says of a
// package becomes a page that has nothing but what is mirrored, or none.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  if (const auto index = registry::parse_mirror_index(text)) {
    const auto again = registry::parse_mirror_index(registry::write_mirror_index(*index));
    fuzz::require(again.has_value(), "a written index can be read");
    fuzz::require(*again == *index, "it is the same index");
  }
  if (const auto wheels = registry::read_mirrored_wheels(text)) {
    const auto again = registry::read_mirrored_wheels(registry::write_simple_json("hello", *wheels));
    fuzz::require(again.has_value(), "a written page can be read");
    static_cast<void>(registry::write_simple_html("hello", *wheels));
  }
  write_packument(text);
  return 0;
}
