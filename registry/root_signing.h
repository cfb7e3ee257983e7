#pragma once

#include <filesystem>
#include <vector>

#include "registry/repository.h"
#include "registry/revision.h"

namespace curupira::registry {

/// A root in a file of its own, as it travels between the holders of root keys: "2.root.json".
struct RootFile {
  tuf::Document document;
  tuf::Root root;
};

/// Errors: file_not_found; tuf_metadata_too_large; those of reading metadata.
Result<RootFile> read_root_file(FileSystem& files, const std::filesystem::path& file);

/// Adds the signatures of the given keys, and writes the file anew. It needs no registry: a holder's machine
/// may have nothing but this file and the key. Error: root_not_pending when all of them have signed it
/// already.
Result<RootFile> sign_root_file(FileSystem& files, SigningKeys& keys, const std::vector<tuf::Key>& signers,
                                const std::filesystem::path& file);

/// Takes the signatures that hold out of a file that came back from a holder, adds those of the keys that are
/// here, and publishes the root that waits when there are enough. Errors: root_not_pending, also when it is
/// another root that was signed, or when the file has no new signature that holds.
Result<RevisionOutcome> take_root_signatures(Repository& repository,
                                             const std::vector<std::filesystem::path>& signed_files);

}  // namespace curupira::registry
