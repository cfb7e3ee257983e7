#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "installer/install_run.h"
#include "installer/installed_content.h"
#include "installer/installer.h"
#include "manifest/manifest.h"
#include "manifest/receipt.h"

namespace curupira::installer {

/// A package's manifest as its author published it, and how we came to know it.
struct PublishedManifest {
  manifest::Manifest manifest;
  std::string text;          ///< byte for byte
  bool probed = false;       ///< printed by the package, started in the sandbox
  std::string sandbox = {};  ///< "bubblewrap", "landlock", "none"; empty when not probed
};

/// `shown` is the file's name in messages. Errors: 1101–1106, and manifest_field for a name that new packages
/// must not have.
Result<PublishedManifest> parse_published(std::string text, const std::filesystem::path& shown,
                                          Diagnostics& diagnostics);

/// The manifest file at `path`; nothing when there is none. Executes nothing.
Result<std::optional<PublishedManifest>> read_published(const FileSystem& files,
                                                        const std::filesystem::path& path,
                                                        const std::filesystem::path& shown,
                                                        Diagnostics& diagnostics);

/// Starts the package once in the sandbox with --curupira-print-manifest (design.md §5).
/// Errors: sandbox_unavailable (with the reasons), those of the probe, probe_output when the text is not one
/// manifest.
Result<PublishedManifest> probe_published(const InstallRun& run, const InstallerTools& tools,
                                          const InstallOptions& options, const InstalledContent& content,
                                          const manifest::ReceiptCommand& command, const std::string& label,
                                          Diagnostics& diagnostics);

}  // namespace curupira::installer
