#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "registry/carried_target.h"
#include "registry/oci_manifest.h"

namespace curupira::registry {

/// How the files of a registry are manifests, in an OCI registry and in an image layout alike. A metadata
/// file is a manifest of one layer, with the file's name as its tag; a short one stands in the manifest
/// itself. A target is a blob, and a manifest with a tag made of its digest holds it.
inline constexpr std::string_view metadata_artifact_type = "application/vnd.curupira.metadata.v1+json";
inline constexpr std::string_view target_artifact_type = "application/vnd.curupira.target.v1";
inline constexpr std::string_view registry_artifact_type = "application/vnd.curupira.registry.v1";
/// Of a target's manifest: the digest of the target.
inline constexpr std::string_view target_sha256_annotation = "vnd.curupira.target.sha256";
/// Names the manifest that all targets belong to, where an OCI registry keeps account of that.
inline constexpr std::string_view registry_tag = "curupira-registry";
inline constexpr std::string_view target_tag_prefix = "target-";

/// The tag of a metadata file: its name, with what tags do not have as "_" and two hexadecimal digits; of a
/// name that would be too long, its digest.
std::string metadata_tag(std::string_view file_name);
/// "target-" and the first 40 digits of the digest.
std::string target_tag(const Digest& sha256);

OciManifest metadata_manifest(const std::string& file_name, const Digest& sha256, std::string_view bytes);
/// `subject`: the manifest that targets belong to, where that is kept account of.
OciManifest target_manifest(const std::string& path, const Digest& sha256, std::uint64_t size,
                            const std::optional<OciDescriptor>& subject = {});
OciManifest registry_manifest();

/// The layer with a metadata file's bytes; null when the manifest is none of metadata.
const OciDescriptor* metadata_layer_of(const OciManifest& manifest);

/// Before a metadata file is read. `carrier`: its name. Error: response_too_large.
Result<> check_metadata_size(const OciDescriptor& layer, const std::string& file_name,
                             const std::string& carrier, std::uint64_t max_bytes);

}  // namespace curupira::registry
