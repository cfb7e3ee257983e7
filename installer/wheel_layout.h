#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/relative_path.h"
#include "installer/tree_listing.h"
#include "installer/wheel_metadata.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// A file of a wheel and where it goes in a virtual environment.
struct PlacedFile {
  enum class How {
    link,    ///< as it is
    script,  ///< executable; its "#!python" becomes the environment's
  };
  RelativePath source;  ///< in the wheel's tree
  std::string path;     ///< in the environment: "lib/python3.11/site-packages/x/__init__.py"
  How how = How::link;
};

/// A wheel that was read, and nothing of it is in doubt.
struct WheelLayout {
  std::string info_folder;  ///< in the environment: "…/site-packages/x-1.0.dist-info"
  std::vector<PlacedFile> files;
  std::vector<ScriptEntry> scripts;
};

/// The name of the wheel's one .dist-info folder. Error: wheel_invalid.
Result<std::string> find_info_folder(const TreeListing& listing);

/// Reads the wheel that was unpacked as `tree`, and says where its files go
/// (packaging.python.org: the binary distribution format). Refused is a wheel whose files are not those of
/// its RECORD, each with its digest; signature files are left out. Nothing of it is executed.
/// Errors: wheel_invalid, identity_mismatch (another package or version than was resolved), integrity_weak.
Result<WheelLayout> lay_out_wheel(const FileSystem& files, const std::filesystem::path& tree,
                                  const TreeListing& listing, const registry::Artifact& artifact,
                                  const std::string& minor);

}  // namespace curupira::installer
