#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"

namespace curupira::registry {

inline constexpr std::string_view oci_manifest_media_type = "application/vnd.oci.image.manifest.v1+json";
inline constexpr std::string_view oci_index_media_type = "application/vnd.oci.image.index.v1+json";

inline constexpr std::size_t max_oci_manifest_bytes = 16u << 20;
inline constexpr std::size_t max_oci_layers = 20'000;

/// Some bytes, as a manifest names them (OCI image specification 1.1, descriptor).
struct OciDescriptor {
  std::string media_type;
  Digest digest;           ///< sha256
  std::uint64_t size = 0;  ///< bytes

  bool operator==(const OciDescriptor&) const = default;
};

/// An artifact as OCI registries and image layouts have it: a configuration and layers (OCI image
/// specification 1.1, image manifest).
struct OciManifest {
  std::string artifact_type;
  OciDescriptor config;
  std::vector<OciDescriptor> layers;
  std::map<std::string, std::string> annotations = {};
};

/// "sha256:<hex>", as OCI writes digests.
std::string oci_digest(const Digest& digest);
/// Error: bundle_unreadable for anything but sha256.
Result<Digest> parse_oci_digest(std::string_view text);

/// The same text for the same manifest.
std::string write_oci_manifest(const OciManifest& manifest);
/// Error: bundle_unreadable, with the member that is wrong.
Result<OciManifest> parse_oci_manifest(std::string_view text);

/// index.json of an image layout with one manifest.
std::string write_oci_index(const OciDescriptor& manifest, std::string_view artifact_type);
/// The only manifest of an index. Error: bundle_unreadable when there are none or several.
Result<OciDescriptor> parse_oci_index(std::string_view text);

}  // namespace curupira::registry
