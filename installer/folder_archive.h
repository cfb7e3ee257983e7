#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/digest.h"
#include "base/file_system.h"
#include "base/result.h"
#include "installer/tree_listing.h"

namespace curupira::installer {

struct PackedArchive {
  std::filesystem::path file;
  Digest sha256;
  std::uint64_t size = 0;  ///< bytes
};

/// Packs the folder, which `listing` describes, as a tar.gz: the same bytes for the same contents. With
/// `manifest`, a manifest file of this text is added at its root.
Result<PackedArchive> pack_folder(FileSystem& files, const std::filesystem::path& folder,
                                  const TreeListing& listing, const std::optional<std::string>& manifest,
                                  const std::filesystem::path& archive);

}  // namespace curupira::installer
