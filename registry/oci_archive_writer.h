#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"
#include "registry/oci_manifest.h"

namespace curupira::registry {

/// A blob that goes into an archive: bytes at hand, or a file.
struct OciBlob {
  OciDescriptor descriptor;
  std::string bytes = {};
  std::filesystem::path file = {};  ///< when not empty, the bytes are there
};

/// Writes the archive; the same blobs and manifest give the same file. `blobs`: the configuration and the
/// layers of the manifest. `modified`: of all entries, seconds since 1970. The file appears whole, or not at
/// all. Gives the manifest's descriptor. Errors: file_failed; size_mismatch and digest_mismatch when a file
/// is not what its descriptor says.
Result<OciDescriptor> write_oci_archive(FileSystem& files, const std::filesystem::path& file,
                                        const OciManifest& manifest, std::vector<OciBlob> blobs,
                                        std::uint64_t modified);

}  // namespace curupira::registry
