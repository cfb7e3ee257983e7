#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "base/file_system.h"
#include "base/home_layout.h"
#include "manifest/manifest.h"
#include "manifest/receipt.h"

namespace curupira::manifest {

/// An extension on this machine, whoever put it there.
struct InstalledExtension {
  Manifest manifest;
  std::filesystem::path folder;         ///< that holds the manifest file
  std::optional<Receipt> receipt = {};  ///< when this program installed it
};

/// A manifest that was found and cannot be used.
struct BrokenExtension {
  std::filesystem::path file;
  Error error;
};

struct Discovered {
  std::vector<InstalledExtension> extensions;  ///< sorted by name; the first of a name wins
  std::vector<BrokenExtension> broken;         ///< they hide nobody
  const InstalledExtension* find(std::string_view name) const;
};

/// The folders of spec/protocol.md §5, in their order: the home's extensions, CURUPIRA_EXTENSIONS_PATH,
/// `plugins/` beside the program and `../share/curupira/plugins`. The current folder is never looked into.
std::vector<std::filesystem::path> search_path(const HomeLayout& home, const Environment& environment,
                                               const std::filesystem::path& program);

/// Looks at each folder itself and at its direct children; links are followed, hidden names are not looked
/// at. Reads manifests and receipts; executes nothing, opens no socket. A folder that is not absolute is
/// ignored with a warning, as are obsolete agent manifests. With a receipt, folder, receipt and manifest have
/// to agree in the name, receipt and manifest also in the version; else the extension is broken:
/// manifest_mismatch.
Discovered discover(const ReadOnlyFileSystem& files, const std::vector<std::filesystem::path>& folders,
                    Diagnostics& diagnostics);

}  // namespace curupira::manifest
