#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/json.h"
#include "base/result.h"
#include "base/semver.h"
#include "registry/npm_platform.h"
#include "registry/release_age.h"

namespace curupira::registry {

/// One entry of `dist.signatures`. Empty texts where it could not be read: no key is called that.
struct PackageSignature {
  std::string key_id;
  std::string signature;  ///< base64
};

/// One version of an npm package, as its registry describes it.
struct PackageRelease {
  std::string name;
  std::string version;
  std::optional<std::string> deprecated = {};  ///< why, as its publisher writes
  /// dependencies, optional ones or peers that are not inside the tarball: npm has to resolve them.
  bool needs_resolver = false;
  NpmPlatformRule platforms;
  std::optional<std::string> tarball = {}, integrity = {}, shasum = {};  ///< of `dist`
  std::vector<PackageSignature> signatures = {};                         ///< of `dist`
  std::optional<std::string> published = {};  ///< when (RFC 3339); the abbreviated form may lack it
};

/// All that an npm registry says of one package (full or abbreviated form).
class Packument {
 public:
  /// Versions that are not semantic are left out. Error: registry_unreadable.
  static Result<Packument> parse(std::string_view text, std::string_view name);

  /// npm's choice for a version, a range or a dist-tag: `latest` where it fits, else the highest that fits,
  /// deprecated ones last and with a warning. Error: version_not_found with versions that exist.
  Result<PackageRelease> choose(std::string_view wanted, Diagnostics& diagnostics) const;
  /// Leaves out what was released too late, as npm's --before does: a tag then means the newest that is left
  /// and not newer than what it meant. Needs the full form.
  void keep_old_enough(const ReleaseAge& age);
  /// All of it, as the registry wrote it.
  const json::Value& document() const { return root_; }
  /// Nothing when there is no such version, or when it cannot be read.
  std::optional<PackageRelease> find(std::string_view version) const;

 private:
  struct Entry {
    SemVer version;
    std::string text;  ///< the member's name
  };
  Packument() = default;
  const Entry* entry_of(const SemVer& version) const;
  const Entry* best_of(std::string_view range_text, const class VersionRange& range) const;
  const json::Value& data_of(const Entry& entry) const { return *versions().find(entry.text); }
  const json::Object& versions() const { return *root_.find("versions")->as_object(); }
  bool deprecated(const Entry& entry) const;
  PackageRelease read(const Entry& entry) const;
  Error not_found(std::string_view wanted, const std::optional<SemVer>& near) const;

  std::string name_;
  json::Value root_;
  std::vector<Entry> entries_;  ///< ascending
  std::map<std::string, std::string, std::less<>> tags_;
};

}  // namespace curupira::registry
