#include "registry/oci_registry_manifests.h"

#include "base/printable.h"
#include "registry/limits.h"

namespace curupira::registry {
namespace {

constexpr std::size_t max_tag_bytes = 128;

bool is_tag_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

}  // namespace

std::string metadata_tag(std::string_view file_name) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string tag;
  for (const char c : file_name) {
    if (is_tag_character(c)) {
      tag += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    tag += {'_', digits[byte >> 4U], digits[byte & 15U]};
  }
  return tag.size() <= max_tag_bytes ? tag : "name-" + digest_of(DigestAlgorithm::sha256, file_name).hex();
}

std::string target_tag(const Digest& sha256) {
  return std::string(target_tag_prefix) + sha256.hex().substr(0, 40);
}

OciManifest metadata_manifest(const std::string& file_name, const Digest& sha256, std::string_view bytes) {
  OciDescriptor layer{.media_type = std::string(metadata_artifact_type),
                      .digest = sha256,
                      .size = bytes.size(),
                      .title = "metadata/" + file_name};
  if (bytes.size() <= Limits::max_inline_metadata_bytes) layer.data = bytes;
  return {.artifact_type = std::string(metadata_artifact_type),
          .config = oci_empty_configuration(),
          .layers = {std::move(layer)}};
}

OciManifest target_manifest(const std::string& path, const Digest& sha256, std::uint64_t size,
                            const std::optional<OciDescriptor>& subject) {
  return {.artifact_type = std::string(target_artifact_type),
          .config = oci_empty_configuration(),
          .layers = {{.media_type = std::string(target_artifact_type),
                      .digest = sha256,
                      .size = size,
                      .title = "targets/" + path}},
          .annotations = {{std::string(target_sha256_annotation), sha256.hex()}},
          .subject = subject};
}

OciManifest registry_manifest() {
  const OciDescriptor configuration = oci_empty_configuration();
  return {.artifact_type = std::string(registry_artifact_type),
          .config = configuration,
          .layers = {configuration}};
}

const OciDescriptor* metadata_layer_of(const OciManifest& manifest) {
  const bool good = manifest.artifact_type == metadata_artifact_type && manifest.layers.size() == 1;
  return good ? &manifest.layers.front() : nullptr;
}

Result<> check_metadata_size(const OciDescriptor& layer, const std::string& file_name,
                             const std::string& carrier, std::uint64_t max_bytes) {
  if (layer.size <= max_bytes) return {};
  return fail(ErrorCode::response_too_large, file_name + " of " + carrier + " has " +
                                                 format_bytes(layer.size) + ", allowed are " +
                                                 format_bytes(max_bytes));
}

}  // namespace curupira::registry
