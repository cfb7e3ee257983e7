#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "registry/package_index.h"
#include "registry/repository.h"
#include "registry/revision.h"

namespace curupira::registry {

/// A file of a release, where it is on this machine.
struct ReleaseFile {
  IndexArtifact artifact;
  std::filesystem::path source;
};

/// One version of an extension that was checked and can be published.
struct Release {
  PackageName name;
  std::string version;
  std::string manifest;                ///< text of curupira-extension.toml, as it is in the archive
  std::optional<std::string> summary;  ///< nothing: what the registry says already
  std::vector<ReleaseFile> files;      ///< the archive first
};

struct ReleaseOutcome {
  PackageName name;
  std::string version;
  Digest archive;
  std::string role;      ///< that vouches for it
  bool already = false;  ///< these very bytes were published before: nothing was changed
};

struct PublishOutcome {
  std::vector<ReleaseOutcome> releases;
  RevisionOutcome revision;
};

/// Publishes all of them, or none. Of the metadata, only that of their roles is read and written. Errors:
/// published_differs; namespace_of_another, registry_key_missing; those of Revision::commit.
Result<PublishOutcome> publish(Repository& repository, std::span<const Release> releases);

/// Takes a version back, with a reason; without one it counts again. Who has it locked keeps it. Errors:
/// package_not_found, version_not_found, already_so.
Result<PublishOutcome> set_yanked(Repository& repository, const PackageName& name, const std::string& version,
                                  std::optional<std::string> reason);

}  // namespace curupira::registry
