#include "installer/bundle_contents.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/json.h"
#include "base/printable.h"
#include "base/relative_path.h"
#include "manifest/registry_settings.h"
#include "registry/carrier.h"
#include "registry/oci_manifest.h"

namespace curupira::installer {
namespace {

using Kind = BundleItem::Kind;

struct KindName {
  Kind kind;
  std::string_view word;
  std::string_view media_type;
};
constexpr std::array<KindName, 6> kinds{{
    {Kind::lock, "lock", "application/vnd.curupira.lock.v1+toml"},
    {Kind::artifact, "artifact", "application/vnd.curupira.package.v1"},
    {Kind::proof, "proof", "application/vnd.curupira.proof.v1+json"},
    {Kind::tree, "tree", "application/vnd.curupira.tree.v1.tar"},
    {Kind::metadata, "metadata", "application/vnd.curupira.metadata.v1+json"},
    {Kind::target, "target", "application/vnd.curupira.target.v1"},
}};

const KindName& name_of_kind(Kind kind) {
  return *std::ranges::find(kinds, kind, &KindName::kind);
}

auto place_of(const BundleItem& item) {
  return std::tie(item.kind, item.key);
}

tl::unexpected<Error> wrong(const std::string& what) {
  return fail(ErrorCode::bundle_unreadable, "its list of contents: " + what);
}

/// A key names a file of the store, or of a registry: only what we write ourselves.
bool is_key(Kind kind, const std::string& key) {
  switch (kind) {
    case Kind::lock:
      return key.empty();
    case Kind::tree: {
      const auto digest = Digest::from_hex(DigestAlgorithm::sha256, key);
      return digest && digest->hex() == key;
    }
    case Kind::artifact:
    case Kind::proof: {
      const auto digest = Digest::from_sri(key);
      return digest && digest->strong() && digest->sri() == key;
    }
    case Kind::metadata:
    case Kind::target: {
      const std::size_t slash = key.find('/');
      if (slash == std::string::npos || !manifest::is_registry_name(key.substr(0, slash))) return false;
      const std::string file = key.substr(slash + 1);
      if (kind == Kind::metadata) return registry::check_metadata_name(file).has_value();
      const auto path = RelativePath::parse(file);
      return path && path->text() == file;
    }
  }
  return false;
}

Result<BundleItem> read_item(const json::Value& value) {
  const std::string* const word = value.find_string("kind");
  const std::string* const key = value.find_string("key");
  const std::string* const name = value.find_string("name");
  const std::string* const blob = value.find_string("blob");
  const json::Value* const size = value.find("size");
  const json::Value* const carried = value.find("carried");
  const auto bytes = size != nullptr ? size->as_uint() : std::nullopt;
  if (word == nullptr || key == nullptr || name == nullptr || blob == nullptr || !bytes ||
      (carried != nullptr && carried->as_bool() == nullptr))
    return wrong("an item needs kind, key, name, blob and size");
  const auto* const kind = std::ranges::find(kinds, *word, &KindName::word);
  if (kind == kinds.end()) return wrong("\"" + printable(*word) + "\" is no kind of item");
  if (!is_key(kind->kind, *key)) return wrong("\"" + printable(*key) + "\" names no " + *word);
  CURUPIRA_TRY(const Digest digest, registry::parse_oci_digest(*blob));
  return BundleItem{.kind = kind->kind,
                    .key = *key,
                    .name = *name,
                    .blob = digest,
                    .size = *bytes,
                    .carried = carried == nullptr || *carried->as_bool()};
}

}  // namespace

bool is_of_registry(Kind kind) {
  return kind == Kind::metadata || kind == Kind::target;
}

std::string_view word_of(Kind kind) {
  return name_of_kind(kind).word;
}

std::string media_type_of(Kind kind) {
  return std::string(name_of_kind(kind).media_type);
}

int BundleContents::needed_format() const {
  const bool has_registries = std::ranges::any_of(items, is_of_registry, &BundleItem::kind);
  return has_registries ? format_with_registries : format;
}

const BundleItem* BundleContents::find(Kind kind, std::string_view key) const {
  const auto found = std::ranges::find_if(
      items, [&](const BundleItem& item) { return item.kind == kind && item.key == key; });
  return found == items.end() ? nullptr : &*found;
}

std::string write_bundle_contents(const BundleContents& contents) {
  json::Object root;
  root.set("format", contents.needed_format());
  if (!contents.created.empty()) root.set("created", contents.created);
  json::Array platforms;
  for (const auto& platform : contents.platforms)
    platforms.push_back(platform.text());
  root.set("platforms", std::move(platforms));
  if (contents.since) root.set("since", registry::oci_digest(*contents.since));
  json::Array items;
  for (const auto& item : contents.items) {
    json::Object object;
    object.set("kind", word_of(item.kind));
    object.set("key", item.key);
    object.set("name", item.name);
    object.set("blob", registry::oci_digest(item.blob));
    object.set("size", item.size);
    if (!item.carried) object.set("carried", false);
    items.push_back(std::move(object));
  }
  root.set("items", std::move(items));
  return json::write(std::move(root));
}

Result<BundleContents> parse_bundle_contents(std::string_view text) {
  auto root = json::parse(text, {.max_bytes = max_bundle_config_bytes, .max_depth = 8});
  if (!root) return fail(Error(ErrorCode::bundle_unreadable, "its list of contents").caused_by(root.error()));
  const json::Value* const format = root->find("format");
  const auto version = format != nullptr ? format->as_int() : std::nullopt;
  if (!version) return wrong("format is missing");
  if (*version < BundleContents::format || *version > BundleContents::format_with_registries)
    return fail(ErrorCode::bundle_version, "format " + std::to_string(*version) + ", this program reads " +
                                               std::to_string(BundleContents::format_with_registries));
  BundleContents contents;
  if (const std::string* const created = root->find_string("created")) contents.created = *created;
  const json::Value* const platforms = root->find("platforms");
  const json::Value* const items = root->find("items");
  if (platforms == nullptr || platforms->as_array() == nullptr || items == nullptr ||
      items->as_array() == nullptr)
    return wrong("platforms or items are missing");
  for (const json::Value& platform : *platforms->as_array()) {
    if (platform.as_string() == nullptr) return wrong("a platform is no string");
    auto parsed = manifest::Platform::parse(*platform.as_string());
    if (!parsed) return wrong("\"" + printable(*platform.as_string()) + "\" is no platform");
    contents.platforms.push_back(*std::move(parsed));
  }
  if (const std::string* const since = root->find_string("since")) {
    CURUPIRA_TRY(contents.since, registry::parse_oci_digest(*since));
  }
  for (const json::Value& value : *items->as_array()) {
    CURUPIRA_TRY(BundleItem item, read_item(value));
    if (!item.carried && !contents.since) return wrong(printable(item.name) + " is nowhere");
    if (!contents.items.empty() && !(place_of(contents.items.back()) < place_of(item)))
      return wrong("items are not in their order, or twice there");
    contents.items.push_back(std::move(item));
  }
  return contents;
}

}  // namespace curupira::installer
