#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"

namespace curupira::registry {

inline constexpr std::string_view oci_manifest_media_type = "application/vnd.oci.image.manifest.v1+json";
inline constexpr std::string_view oci_index_media_type = "application/vnd.oci.image.index.v1+json";

inline constexpr std::string_view oci_empty_media_type = "application/vnd.oci.empty.v1+json";
inline constexpr std::string_view oci_title_annotation = "org.opencontainers.image.title";
/// Of an entry of a layout's index.json: the tag of the manifest.
inline constexpr std::string_view oci_tag_annotation = "org.opencontainers.image.ref.name";

inline constexpr std::size_t max_oci_manifest_bytes = 16u << 20;
inline constexpr std::size_t max_oci_layers = 20'000;

/// Some bytes, as a manifest names them (OCI image specification 1.1, descriptor).
struct OciDescriptor {
  std::string media_type;
  Digest digest;           ///< sha256
  std::uint64_t size = 0;  ///< bytes
  std::string data = {};   ///< the bytes themselves, when the manifest holds them: then they are checked
  std::string title = {};  ///< the name of the file that they are; empty when they have none

  bool operator==(const OciDescriptor&) const = default;
};

/// An artifact as OCI registries and image layouts have it: a configuration and layers (OCI image
/// specification 1.1, image manifest).
struct OciManifest {
  std::string artifact_type;
  OciDescriptor config;
  std::vector<OciDescriptor> layers;
  std::map<std::string, std::string> annotations = {};
  std::optional<OciDescriptor> subject = {};  ///< what it belongs to
};

/// The configuration of an artifact that has none: "{}".
OciDescriptor oci_empty_configuration();

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

/// A manifest of a layout with several.
struct OciTagged {
  std::string tag;
  std::string artifact_type;
  OciDescriptor manifest;
};
/// index.json with these entries, in their order.
std::string write_oci_tags(const std::vector<OciTagged>& tagged);
/// Entries with a tag; others are passed over. Error: bundle_unreadable, also for a tag that is there twice.
Result<std::vector<OciTagged>> parse_oci_tags(std::string_view text, std::size_t max_bytes);

}  // namespace curupira::registry
