#include "registry/oci_manifest.h"

#include <optional>
#include <set>

#include "base/json.h"
#include "base/printable.h"

namespace curupira::registry {
namespace {

constexpr std::string_view digest_prefix = "sha256:";

tl::unexpected<Error> wrong(const std::string& what) {
  return fail(ErrorCode::bundle_unreadable, what);
}

json::Value to_json(const OciDescriptor& descriptor) {
  json::Object object;
  object.set("mediaType", descriptor.media_type);
  object.set("digest", oci_digest(descriptor.digest));
  object.set("size", descriptor.size);
  if (!descriptor.data.empty()) object.set("data", base64_encode(std::as_bytes(std::span(descriptor.data))));
  if (!descriptor.title.empty()) {
    json::Object annotations;
    annotations.set(std::string(oci_title_annotation), descriptor.title);
    object.set("annotations", std::move(annotations));
  }
  return object;
}

Result<std::string> read_data(const std::string& text, const OciDescriptor& descriptor,
                              const std::string& where) {
  const auto bytes = base64_decode(text);
  if (!bytes) return wrong(where + ": data is no base64");
  std::string data(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (data.size() != descriptor.size || digest_of(DigestAlgorithm::sha256, data) != descriptor.digest)
    return wrong(where + ": data is not what size and digest say");
  return data;
}

Result<OciDescriptor> read_descriptor(const json::Value* value, const std::string& where) {
  if (value == nullptr || value->as_object() == nullptr) return wrong(where + " is missing");
  const std::string* const media_type = value->find_string("mediaType");
  const std::string* const digest = value->find_string("digest");
  const json::Value* const size = value->find("size");
  const auto bytes = size != nullptr ? size->as_uint() : std::nullopt;
  if (media_type == nullptr || digest == nullptr || !bytes)
    return wrong(where + " needs mediaType, digest and size");
  CURUPIRA_TRY(Digest parsed, parse_oci_digest(*digest));
  OciDescriptor descriptor{.media_type = *media_type, .digest = parsed, .size = *bytes};
  if (const std::string* const data = value->find_string("data")) {
    CURUPIRA_TRY(descriptor.data, read_data(*data, descriptor, where));
  }
  if (const json::Value* const annotations = value->find("annotations")) {
    if (const std::string* const title = annotations->find_string(oci_title_annotation))
      descriptor.title = *title;
  }
  return descriptor;
}

Result<json::Value> read_json(std::string_view text, const std::string& what,
                              std::size_t max_bytes = max_oci_manifest_bytes) {
  auto value = json::parse(text, {.max_bytes = max_bytes, .max_depth = 16});
  if (!value) return fail(Error(ErrorCode::bundle_unreadable, what).caused_by(std::move(value).error()));
  const json::Value* const version = value->find("schemaVersion");
  if (version == nullptr || version->as_int() != 2) return wrong(what + ": schemaVersion is not 2");
  return value;
}

}  // namespace

OciDescriptor oci_empty_configuration() {
  constexpr std::string_view empty = "{}";
  return {.media_type = std::string(oci_empty_media_type),
          .digest = digest_of(DigestAlgorithm::sha256, empty),
          .size = empty.size(),
          .data = std::string(empty)};
}

std::string oci_digest(const Digest& digest) {
  return std::string(digest_prefix) + digest.hex();
}

Result<Digest> parse_oci_digest(std::string_view text) {
  if (text.starts_with(digest_prefix)) {
    const auto hex = text.substr(digest_prefix.size());
    auto digest = Digest::from_hex(DigestAlgorithm::sha256, hex);
    if (digest && digest->hex() == hex) return digest;
  }
  return wrong("\"" + printable(text.substr(0, 200)) + "\" is no sha256 digest");
}

std::string write_oci_manifest(const OciManifest& manifest) {
  json::Array layers;
  for (const auto& layer : manifest.layers)
    layers.push_back(to_json(layer));
  json::Object object;
  object.set("schemaVersion", 2);
  object.set("mediaType", oci_manifest_media_type);
  object.set("artifactType", manifest.artifact_type);
  object.set("config", to_json(manifest.config));
  object.set("layers", std::move(layers));
  if (manifest.subject) object.set("subject", to_json(*manifest.subject));
  if (!manifest.annotations.empty()) {
    json::Object annotations;
    for (const auto& [name, value] : manifest.annotations)
      annotations.set(name, value);
    object.set("annotations", std::move(annotations));
  }
  return json::write(std::move(object));
}

Result<OciManifest> parse_oci_manifest(std::string_view text) {
  CURUPIRA_TRY(const json::Value root, read_json(text, "the manifest"));
  const std::string* const type = root.find_string("artifactType");
  const json::Value* const layers = root.find("layers");
  if (layers == nullptr || layers->as_array() == nullptr) return wrong("the manifest has no layers");
  if (layers->as_array()->size() > max_oci_layers)
    return wrong("the manifest has " + std::to_string(layers->as_array()->size()) + " layers, allowed are " +
                 std::to_string(max_oci_layers));
  CURUPIRA_TRY(OciDescriptor config, read_descriptor(root.find("config"), "config"));
  OciManifest manifest{.artifact_type = type != nullptr ? *type : config.media_type,
                       .config = std::move(config),
                       .layers = {}};
  for (const json::Value& layer : *layers->as_array()) {
    CURUPIRA_TRY(OciDescriptor descriptor,
                 read_descriptor(&layer, "layer " + std::to_string(manifest.layers.size())));
    manifest.layers.push_back(std::move(descriptor));
  }
  if (const json::Value* const subject = root.find("subject")) {
    CURUPIRA_TRY(manifest.subject, read_descriptor(subject, "subject"));
  }
  if (const json::Value* const annotations = root.find("annotations")) {
    if (annotations->as_object() == nullptr) return wrong("annotations are no object");
    for (const auto& [name, value] : *annotations->as_object()) {
      if (value.as_string() == nullptr) return wrong("an annotation is no string");
      manifest.annotations[name] = *value.as_string();
    }
  }
  return manifest;
}

std::string write_oci_index(const OciDescriptor& manifest, std::string_view artifact_type) {
  return write_oci_tags(
      std::vector{OciTagged{.tag = {}, .artifact_type = std::string(artifact_type), .manifest = manifest}});
}

std::string write_oci_tags(const std::vector<OciTagged>& tagged) {
  json::Array manifests;
  for (const OciTagged& each : tagged) {
    json::Object entry;
    entry.set("mediaType", each.manifest.media_type);
    entry.set("digest", oci_digest(each.manifest.digest));
    entry.set("size", each.manifest.size);
    entry.set("artifactType", each.artifact_type);
    if (!each.tag.empty()) {
      json::Object annotations;
      annotations.set(std::string(oci_tag_annotation), each.tag);
      entry.set("annotations", std::move(annotations));
    }
    manifests.emplace_back(std::move(entry));
  }
  json::Object object;
  object.set("schemaVersion", 2);
  object.set("mediaType", oci_index_media_type);
  object.set("manifests", std::move(manifests));
  return json::write(std::move(object));
}

Result<std::vector<OciTagged>> parse_oci_tags(std::string_view text, std::size_t max_bytes) {
  CURUPIRA_TRY(const json::Value root, read_json(text, "index.json", max_bytes));
  const json::Value* const manifests = root.find("manifests");
  if (manifests == nullptr || manifests->as_array() == nullptr) return wrong("index.json has no manifests");
  std::vector<OciTagged> tagged;
  std::set<std::string> tags;
  for (const json::Value& entry : *manifests->as_array()) {
    const json::Value* const annotations = entry.find("annotations");
    const std::string* const tag =
        annotations != nullptr ? annotations->find_string(oci_tag_annotation) : nullptr;
    if (tag == nullptr || tag->empty()) continue;
    if (!tags.insert(*tag).second) return wrong("index.json has the tag " + excerpt(*tag) + " twice");
    CURUPIRA_TRY(OciDescriptor manifest, read_descriptor(&entry, "the manifest " + excerpt(*tag)));
    const std::string* const type = entry.find_string("artifactType");
    tagged.push_back({*tag, type != nullptr ? *type : "", std::move(manifest)});
  }
  return tagged;
}

Result<OciDescriptor> parse_oci_index(std::string_view text) {
  CURUPIRA_TRY(const json::Value root, read_json(text, "index.json"));
  const json::Value* const manifests = root.find("manifests");
  const json::Array* const list = manifests != nullptr ? manifests->as_array() : nullptr;
  if (list == nullptr || list->size() != 1)
    return wrong("index.json has " + std::to_string(list != nullptr ? list->size() : 0) +
                 " manifests, expected one");
  return read_descriptor(&list->front(), "the manifest of index.json");
}

}  // namespace curupira::registry
