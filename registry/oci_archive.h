#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/byte_sink.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "registry/oci_manifest.h"

namespace curupira::registry {

/// One artifact as an OCI image layout in a tar file ("oci-archive" of other tools): `oci-layout`,
/// `index.json` and `blobs/sha256/<hex>`, in any order, and nothing else.
class OciArchive {
 public:
  /// Reads the whole file once: every blob is what its name says, has the size that the manifest says, and is
  /// named by it. Errors: file_not_found; bundle_unreadable for what is no such archive; bundle_blob_changed,
  /// bundle_blob_missing, bundle_blob_extra, which name the blob.
  static Result<OciArchive> open(const std::filesystem::path& file);

  const OciManifest& manifest() const { return manifest_; }
  const OciDescriptor& descriptor() const { return descriptor_; }  ///< of the manifest
  bool has(const Digest& blob) const { return blobs_.contains(blob.hex()); }
  /// Error: bundle_blob_missing.
  Result<std::uint64_t> size(const Digest& blob) const;
  /// The bytes of a blob, digested again. Errors: bundle_blob_missing, bundle_blob_changed when the file
  /// changed since it was opened, those of the sink.
  Result<> read(const Digest& blob, ByteSink& sink) const;
  /// Error: bundle_unreadable when it is longer than `max_bytes`; as `read`.
  Result<std::string> read_text(const Digest& blob, std::uint64_t max_bytes) const;

 private:
  struct Place {
    std::uint64_t offset = 0;  // of its bytes in the file
    std::uint64_t size = 0;
  };
  OciArchive(UniqueFd file, OciDescriptor descriptor, OciManifest manifest,
             std::map<std::string, Place> blobs)
      : file_(std::move(file)),
        descriptor_(std::move(descriptor)),
        manifest_(std::move(manifest)),
        blobs_(std::move(blobs)) {}
  Result<> check_names() const;

  friend class OciArchiveScan;
  UniqueFd file_;
  OciDescriptor descriptor_;
  OciManifest manifest_;
  std::map<std::string, Place> blobs_;  // by hexadecimal sha256
};

}  // namespace curupira::registry
