#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "registry/carrier.h"
#include "registry/limits.h"
#include "registry/oci_client.h"

namespace curupira::registry {

/// A registry in a repository of an OCI registry (registry/oci_registry_manifests): a short metadata file and
/// a target cost one request each. OCI registries cannot write a tag only where there is none: of two
/// publishers at the very same moment both may think to have won, and the metadata of the last one holds.
class OciCarrier final : public WritableCarrier {
 public:
  /// `tools` and `diagnostics` have to outlive it. Error: offline_missing without an HTTP client.
  static Result<std::unique_ptr<OciCarrier>> open(const SourceTools& tools, Diagnostics& diagnostics,
                                                  OciRepository repository,
                                                  std::uint64_t chunk_bytes = Limits::oci_chunk_bytes);

  std::string name() const override { return client_.repository().to_string(); }
  Result<std::optional<std::string>> metadata(const std::string& file_name, std::uint64_t max_bytes) override;
  /// Error: carrier_file_missing also when neither the caller nor the name says the digest.
  Result<> target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                  ByteSink& sink) override;
  Result<bool> has_target(const std::string& path, const Digest* sha256) override;
  Result<> put_target(const std::string& path, const std::filesystem::path& file, const Digest& sha256,
                      std::uint64_t size) override;
  Result<> put_metadata(const std::string& file_name, std::string_view bytes) override;

 private:
  OciCarrier(const SourceTools& tools, Diagnostics& diagnostics, OciRepository repository,
             std::uint64_t chunk_bytes)
      : client_(tools, diagnostics, std::move(repository), chunk_bytes) {}

  /// The one layer of a metadata file's manifest; nothing when there is no such file.
  Result<std::optional<OciDescriptor>> metadata_layer(const std::string& file_name);
  Result<> put_configuration();
  /// Finds out once what the registry has, where it can say so at once.
  Result<> read_account();

  OciClient client_;
  bool has_configuration_ = false;
  bool account_read_ = false;
  std::optional<OciDescriptor> account_ = {};  ///< the manifest that targets belong to
  std::set<std::string> accounted_ = {};       ///< hexadecimal digests of targets that are there
};

}  // namespace curupira::registry
