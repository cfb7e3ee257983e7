#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/byte_sink.h"
#include "base/file_system.h"
#include "base/result.h"
#include "registry/oci_manifest.h"

namespace curupira::registry {

/// A blob of a layout that is being written.
struct OciLayoutBlob {
  Digest digest;
  std::uint64_t size = 0;                         ///< bytes
  std::function<Result<>(ByteSink&)> write = {};  ///< passes exactly these bytes on
};

/// Writes an OCI image layout into a tar file: `oci-layout`, `index.json`, and the blobs in the order that is
/// given. `modified`: of all entries, seconds since 1970. The file appears whole, or not at all. Errors:
/// file_failed; size_mismatch and digest_mismatch when a blob is not what its digest says; those of the
/// blobs.
Result<> write_oci_layout(FileSystem& files, const std::filesystem::path& file, const std::string& index,
                          const std::vector<OciLayoutBlob>& blobs, std::uint64_t modified);

/// A blob that goes into an archive: bytes at hand, or a file.
struct OciBlob {
  OciDescriptor descriptor;
  std::string bytes = {};
  std::filesystem::path file = {};  ///< when not empty, the bytes are there
};

/// Writes the archive of one manifest; the same blobs and manifest give the same file. `blobs`: the
/// configuration and the layers of the manifest. Gives the manifest's descriptor. Otherwise as
/// `write_oci_layout`.
Result<OciDescriptor> write_oci_archive(FileSystem& files, const std::filesystem::path& file,
                                        const OciManifest& manifest, std::vector<OciBlob> blobs,
                                        std::uint64_t modified);

}  // namespace curupira::registry
