#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "registry/carrier.h"
#include "registry/oci_layout.h"
#include "registry/oci_manifest.h"

namespace curupira::registry {

/// A registry in one file: an OCI image layout in a tar, in which the registry's files are what they are in
/// an OCI registry (registry/oci_registry_manifests). Read only; the file is opened when it is first asked.
class BundleCarrier final : public Carrier {
 public:
  explicit BundleCarrier(std::filesystem::path file) : file_(std::move(file)) {}

  std::string name() const override;
  /// Errors also: file_not_found for the bundle itself; those of OciLayout; bundle_unreadable.
  Result<std::optional<std::string>> metadata(const std::string& file_name, std::uint64_t max_bytes) override;
  /// Error: carrier_file_missing also when neither the caller nor the name says the digest.
  Result<> target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                  ByteSink& sink) override;

  bool is_carried() const override { return true; }

  /// The layout. Errors: as for `metadata`.
  Result<const OciLayout*> layout();
  /// The sha256 of a metadata file; nothing when there is none. Errors: as for `metadata`.
  Result<std::optional<Digest>> metadata_digest(const std::string& file_name);

 private:
  Result<std::optional<OciDescriptor>> metadata_layer(const std::string& file_name);

  std::filesystem::path file_;
  std::optional<OciLayout> layout_ = {};
  std::map<std::string, Digest> manifests_ = {};  ///< of metadata, by tag
};

}  // namespace curupira::registry
