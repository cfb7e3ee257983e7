#include "registry/npm_signatures.h"

#include <algorithm>
#include <set>

#include "base/printable.h"
#include "registry/limits.h"

namespace curupira::registry {

namespace {

using Known = std::map<std::string, Packument, std::less<>>;

std::string label_of(const Artifact& artifact) {
  return artifact.package + "@" + artifact.version;
}

/// "a, b, c and 4 more".
std::string some_of(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < Limits::shown_versions; ++i)
    text += (i == 0 ? "" : ", ") + printable(items[i]);
  if (items.size() > Limits::shown_versions)
    text += " and " + std::to_string(items.size() - Limits::shown_versions) + " more";
  return text;
}

Error unknown_key(const Artifact& artifact, const std::string& key_id, const NpmKeySet& keys,
                  const Url& registry) {
  std::vector<std::string> ids;
  for (const NpmKey& key : keys.keys)
    ids.push_back(key.id);
  return Error(ErrorCode::signature_invalid,
               printable(label_of(artifact)) + " is signed with a key that " + registry.to_string() +
                   " does not publish: " + excerpt(key_id, 100) + "; it publishes " + some_of(ids));
}

}  // namespace

Result<std::vector<NpmSignatures::Signed>> NpmSignatures::under_keys(std::span<Artifact> artifacts) {
  std::vector<Signed> found;
  for (Artifact& artifact : artifacts) {
    CURUPIRA_TRY(Url registry, registry_.registry_of(artifact.package));
    CURUPIRA_TRY(const NpmKeySet* const keys, keys_.of(registry));
    if (!keys->keys.empty())
      found.push_back({.artifact = &artifact, .registry = std::move(registry), .keys = keys});
  }
  return found;
}

Result<> NpmSignatures::describe(std::vector<Signed>& packages, const Known& known) {
  std::set<std::string> missing;
  for (const Signed& package : packages)
    if (!known.contains(package.artifact->package)) missing.insert(package.artifact->package);
  const auto take = [&](const Packument& packument, std::string_view name) -> Result<> {
    for (Signed& package : packages) {
      if (package.artifact->package != name) continue;
      auto release = packument.find(package.artifact->version);
      if (!release)
        return fail(ErrorCode::version_not_found,
                    package.registry.to_string() + " does not have " + label_of(*package.artifact));
      package.release = *std::move(release);
    }
    return {};
  };
  for (const auto& [name, packument] : known)
    CURUPIRA_CHECK(take(packument, name));
  // Some at a time: packuments can be large, and only one version of each is needed.
  std::vector<std::string> names(missing.begin(), missing.end());
  for (std::size_t at = 0; at < names.size(); at += Limits::packuments_at_once) {
    const auto some = std::span(names).subspan(at, std::min(Limits::packuments_at_once, names.size() - at));
    CURUPIRA_TRY(const auto packuments, registry_.packuments(some));
    for (std::size_t i = 0; i < some.size(); ++i)
      CURUPIRA_CHECK(take(packuments[i], some[i]));
  }
  return {};
}

Result<> NpmSignatures::find_publish_times(std::vector<Signed>& packages) {
  std::vector<std::string> names;
  for (Signed& package : packages) {
    for (const PackageSignature& signature : package.release.signatures) {
      const NpmKey* key = package.keys->find(signature.key_id);
      if (key == nullptr) {  // a key that is newer than the kept ones
        CURUPIRA_TRY(package.keys, keys_.again(package.registry));
        key = package.keys->find(signature.key_id);
      }
      if (key == nullptr)
        return fail(unknown_key(*package.artifact, signature.key_id, *package.keys, package.registry));
      if (key->expires && !package.release.published) names.push_back(package.artifact->package);
    }
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  // Only the full form has the times; it is many times larger, so only where a key has an expiry.
  for (std::size_t at = 0; at < names.size(); at += Limits::full_packuments_at_once) {
    const auto some =
        std::span(names).subspan(at, std::min(Limits::full_packuments_at_once, names.size() - at));
    CURUPIRA_TRY(const auto packuments, registry_.packuments(some, PackumentForm::full));
    for (Signed& package : packages) {
      const auto found = std::ranges::find(some, package.artifact->package);
      if (found == some.end()) continue;
      const auto& packument = packuments[static_cast<std::size_t>(found - some.begin())];
      if (const auto release = packument.find(package.artifact->version))
        package.release.published = release->published;
    }
  }
  return {};
}

Result<> NpmSignatures::add_signatures(const Signed& package) {
  Artifact& artifact = *package.artifact;
  for (const PackageSignature& signature : package.release.signatures) {
    const NpmKey* const key = package.keys->find(signature.key_id);
    if (key == nullptr) return fail(unknown_key(artifact, signature.key_id, *package.keys, package.registry));
    artifact.proof.signatures.push_back(
        {.text = signed_text(artifact.package, artifact.version, package.release.integrity.value_or("")),
         .signature = signature.signature,
         .key_id = key->id,
         .scheme = key->scheme,
         .key = key->key,
         .expires = key->expires,
         .published = key->expires ? package.release.published : std::nullopt,
         .registry = package.registry.to_string(),
         .obtained = package.keys->obtained});
  }
  return {};
}

Result<> NpmSignatures::add_to(std::span<Artifact> artifacts, const Known& known, Diagnostics& diagnostics) {
  CURUPIRA_TRY(auto packages, under_keys(artifacts));
  CURUPIRA_CHECK(describe(packages, known));
  CURUPIRA_CHECK(find_publish_times(packages));
  std::map<std::string, std::vector<std::string>> unsigned_packages;  // by registry
  for (const Signed& package : packages) {
    CURUPIRA_CHECK(add_signatures(package));
    if (package.release.signatures.empty())
      unsigned_packages[package.registry.to_string()].push_back(label_of(*package.artifact));
  }
  for (const auto& [registry, labels] : unsigned_packages)
    diagnostics.warn(registry + " publishes keys, but has no signature for " + some_of(labels) +
                     ": only the digest vouches");
  return {};
}

Result<> add_npm_signatures(const SourceTools& tools, std::span<Artifact> artifacts,
                            Diagnostics& diagnostics) {
  CURUPIRA_TRY(const NpmConfiguration configuration, NpmConfiguration::load(tools, diagnostics));
  NpmRegistry registry(tools, configuration);
  return NpmSignatures(tools, registry, configuration).add_to(artifacts, {}, diagnostics);
}

}  // namespace curupira::registry
