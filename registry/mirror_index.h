#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "manifest/platform.h"

namespace curupira::registry {

inline constexpr std::string_view mirror_target = "mirror/index.json";
inline constexpr std::size_t max_mirror_index_bytes = 256u << 20;

/// One file that a mirror serves, below the registry's folder.
struct MirrorFile {
  enum class Kind {
    page,      ///< says what there is: a packument, a page of the simple index, npm's keys
    tarball,   ///< of an npm package
    wheel,     ///< of a Python package
    metadata,  ///< a wheel's METADATA, beside it
    archive,   ///< an archive that has an address of its own
  };
  Kind kind = Kind::page;
  std::string path;     ///< "npm/hello/-/hello-1.0.0.tgz"
  std::string package;  ///< in its ecosystem; of an archive its file name; empty for what is of no package
  std::string version = {};
  std::string origin = {};       ///< of an archive: the address that it was known by
  std::string integrity = {};    ///< SRI of the digest that vouched for it; empty for what the mirror wrote
  bool registry_signed = false;  ///< its registry's signature held
  Digest sha256;
  std::uint64_t size = 0;  ///< bytes

  bool operator==(const MirrorFile&) const = default;
};

std::string_view word_of(MirrorFile::Kind kind);  ///< "tarball"

/// What somebody asked the mirror to have.
struct MirrorWish {
  std::string reference;                      ///< in its normal form
  std::vector<manifest::Platform> platforms;  ///< sorted
  std::string version = {};                   ///< that it meant last; empty for an archive

  bool operator==(const MirrorWish&) const = default;
};

/// All that a mirror has, with digests: the target that its key signs, so that everything else below npm/,
/// simple/ and archives/ can be checked.
struct MirrorIndex {
  static constexpr int format = 1;

  std::string url = {};  ///< where the folder is served, ending with '/'; empty: nobody has said
  std::map<std::string, MirrorWish, std::less<>> wishes = {};  ///< by reference
  std::map<std::string, MirrorFile, std::less<>> files = {};   ///< by path

  const MirrorFile* find(std::string_view path) const;
  bool empty() const { return files.empty() && wishes.empty(); }
  bool operator==(const MirrorIndex&) const = default;
};

/// Text → model; whatever is not exactly of the form is refused. Error: registry_damaged with the place.
Result<MirrorIndex> parse_mirror_index(std::string_view text);

/// Model → text, the same for the same model.
std::string write_mirror_index(const MirrorIndex& index);

}  // namespace curupira::registry
