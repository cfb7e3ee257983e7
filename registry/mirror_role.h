#pragma once

#include <span>
#include <string>
#include <vector>

#include "registry/mirror_index.h"
#include "registry/repository.h"
#include "registry/revision.h"

namespace curupira::registry {

/// A file that says what there is, and changes from time to time.
struct MirrorPage {
  std::string path;     ///< "npm/hello/index.html"
  std::string package;  ///< empty: of no package
  std::string bytes;
};

/// What the registry mirrors; an empty index when it is no mirror. Errors: those of reading metadata and
/// targets; registry_damaged.
Result<MirrorIndex> read_mirror(Repository& repository);

/// The keys that are here can sign a change of the mirror. Error: registry_key_missing.
Result<> check_mirror_keys(Repository& repository);

/// One revision: `index`, with the pages in it, is what the mirror has from now on; the files that it names
/// beside the pages have to be there already. The pages wait in .mirror/ until they are signed and come to
/// their places then: killed in between, `finish_pages` of the next command does that, and until then plain
/// clients see the old ones. Errors: those of Revision::commit.
Result<RevisionOutcome> publish_mirror(Repository& repository, MirrorIndex index,
                                       std::span<const MirrorPage> pages);

/// Brings pages that wait to their places, and removes what waits for nothing. Only while the registry is
/// locked.
Result<> finish_pages(RepositoryFolder& folder, const MirrorIndex& index);

/// The file is there, or waits as a page that is signed, and is the one that the index promises. Errors:
/// registry_damaged, digest_mismatch.
Result<> check_mirror_file(const RepositoryFolder& folder, const MirrorFile& file);

/// Pages below npm/ and simple/ that clients would believe and nobody signed, sorted.
Result<std::vector<std::string>> unsigned_pages(const RepositoryFolder& folder, const MirrorIndex& index);

}  // namespace curupira::registry
