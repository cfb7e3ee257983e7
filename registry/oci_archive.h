#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "registry/oci_layout.h"
#include "registry/oci_manifest.h"

namespace curupira::registry {

/// One artifact as an OCI image layout in a tar file.
class OciArchive {
 public:
  /// Reads the whole file once: every blob is what its name says, has the size that the manifest says, and is
  /// named by it. Errors: those of OciLayout::open; bundle_unreadable; bundle_blob_changed,
  /// bundle_blob_missing, bundle_blob_extra, which name the blob.
  static Result<OciArchive> open(const std::filesystem::path& file);

  const OciManifest& manifest() const { return manifest_; }
  const OciDescriptor& descriptor() const { return descriptor_; }  ///< of the manifest
  bool has(const Digest& blob) const { return layout_.has(blob); }
  /// Error: bundle_blob_missing.
  Result<std::uint64_t> size(const Digest& blob) const { return layout_.size(blob); }
  /// The bytes of a blob, digested again. Errors: bundle_blob_missing, bundle_blob_changed when the file
  /// changed since it was opened, those of the sink.
  Result<> read(const Digest& blob, ByteSink& sink) const { return layout_.read(blob, sink); }
  /// Error: bundle_unreadable when it is longer than `max_bytes`; as `read`.
  Result<std::string> read_text(const Digest& blob, std::uint64_t max_bytes) const {
    return layout_.read_text(blob, max_bytes);
  }

 private:
  OciArchive(OciLayout layout, OciDescriptor descriptor, OciManifest manifest)
      : layout_(std::move(layout)), descriptor_(std::move(descriptor)), manifest_(std::move(manifest)) {}
  Result<> check_names() const;

  OciLayout layout_;
  OciDescriptor descriptor_;
  OciManifest manifest_;
};

}  // namespace curupira::registry
