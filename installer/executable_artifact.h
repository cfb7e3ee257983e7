#pragma once

#include <string>
#include <vector>

#include "installer/prepared_extension.h"

namespace curupira::installer {

/// What a `binary` or `archive` launch gets on this platform: the content, and what of it starts.
struct ExecutableArtifact {
  InstalledContent content;
  RelativePath program;
  manifest::ReceiptArtifact artifact;
  std::vector<LockedArtifact> locked;  ///< of this platform, and of the others that the lock file describes
};

/// Fetches the platform's artifact: from its URL, or from its path in `folder`, the folder of the manifest.
/// That of a release (null for what is none) comes from the registry instead of the URL: by its digest.
/// Errors: platform_missing (lists what there is), release_differs when the registry does not have it, those
/// of fetching, verifying and unpacking, archive_program_missing.
Result<ExecutableArtifact> fetch_executable(const Preparation& preparation,
                                            const manifest::Manifest& manifest,
                                            const std::filesystem::path& folder,
                                            const registry::Resolution* release);

/// The manifest that the existing host can list and run (spec/protocol.md §4): launch type `executable`, the
/// program's absolute path when it is one of `content`, and absolute paths for arguments that name files of
/// the content.
std::string executable_manifest(const FileSystem& files, manifest::Manifest manifest,
                                const manifest::ReceiptCommand& command,
                                const std::filesystem::path& content);

}  // namespace curupira::installer
