#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "manifest/platform.h"

namespace curupira::installer {

inline constexpr std::string_view bundle_artifact_type = "application/vnd.curupira.bundle.v1";
inline constexpr std::string_view bundle_config_media_type = "application/vnd.curupira.bundle.config.v1+json";
inline constexpr std::size_t max_bundle_config_bytes = 32u << 20;

/// One thing that a bundle is made of.
struct BundleItem {
  enum class Kind { lock, artifact, proof, tree, metadata, target };
  Kind kind = Kind::artifact;
  /// Of artifacts and proofs the digest of the artifact as the lock file has it ("sha512-…"); of trees
  /// theirs, hexadecimal; empty for the lock file. Of what a registry says, "NAME/" and what its file is
  /// called there: "corp/3.targets.json", "corp/packages/<sha256>.x.json".
  std::string key;
  std::string name;        ///< that people know it by: "hello-1.0.0.tgz"
  Digest blob;             ///< sha256 of the bytes in the bundle
  std::uint64_t size = 0;  ///< bytes
  bool carried = true;     ///< false: the bundle that it was made since had it
};

/// What is in a bundle: the configuration of its manifest (docs/air-gapped.md, "The format").
struct BundleContents {
  static constexpr int format = 1;
  /// Of a bundle that has what a registry says.
  static constexpr int format_with_registries = 2;
  std::string created = {};                   ///< RFC 3339; empty unless SOURCE_DATE_EPOCH said it
  std::vector<manifest::Platform> platforms;  ///< that it can be installed on, sorted
  std::optional<Digest> since = {};  ///< the manifest digest of the bundle that has what is not carried
  std::vector<BundleItem> items;     ///< sorted by kind and key, each once

  int needed_format() const;
  const BundleItem* find(BundleItem::Kind kind, std::string_view key) const;
};

/// Something that a curupira registry says: its metadata, or a target of it.
bool is_of_registry(BundleItem::Kind kind);
std::string_view word_of(BundleItem::Kind kind);  ///< "artifact"
/// Of the layer that holds such an item.
std::string media_type_of(BundleItem::Kind kind);

/// The same text for the same contents.
std::string write_bundle_contents(const BundleContents& contents);
/// Errors: bundle_unreadable, bundle_version.
Result<BundleContents> parse_bundle_contents(std::string_view text);

}  // namespace curupira::installer
