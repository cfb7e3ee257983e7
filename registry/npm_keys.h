#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/http_client.h"
#include "base/result.h"
#include "base/url.h"
#include "registry/sources.h"

namespace curupira::registry {

/// A key that an npm registry publishes, as it stands there.
struct NpmKey {
  std::string id;
  std::string scheme;
  std::string key;  ///< base64 of the DER SubjectPublicKeyInfo
  std::optional<std::string> expires;
};

/// The keys of one registry.
struct NpmKeySet {
  std::vector<NpmKey> keys;  ///< none: it does not publish keys
  std::string obtained;      ///< when (RFC 3339); empty without a clock

  const NpmKey* find(std::string_view id) const;
};

/// What npm registries publish at `-/npm/v1/keys`, asked once a run and kept for an hour in the home's cache.
/// That a registry publishes none is never kept: it is asked each time.
class NpmKeys {
 public:
  NpmKeys(const SourceTools& tools, std::shared_ptr<const CredentialSource> credentials)
      : tools_(tools), credentials_(std::move(credentials)) {}

  /// Empty when the registry does not know the question: it answers 400, 404, 405, 410 or 501. What had a
  /// signature when it was locked or installed is refused then all the same. Every other refusal is an error,
  /// so that nobody who is in the way lowers a level: credentials_refused, registry_unreadable, those of the
  /// network; offline_missing.
  Result<const NpmKeySet*> of(const Url& registry);
  /// The same, past the cache: for a key id that the kept ones do not have.
  Result<const NpmKeySet*> again(const Url& registry);

 private:
  std::filesystem::path cache_file(const Url& registry) const;
  std::optional<NpmKeySet> kept(const Url& registry) const;
  void keep(const Url& registry, const NpmKeySet& keys) const;

  const SourceTools& tools_;
  std::shared_ptr<const CredentialSource> credentials_;
  std::map<std::string, NpmKeySet, std::less<>> sets_;  ///< by the registry's address
  std::map<std::string, bool, std::less<>> asked_;      ///< in this run
};

/// Reads `{"keys": [{expires, keyid, keytype, scheme, key}, …]}`. Error: registry_unreadable.
Result<std::vector<NpmKey>> parse_npm_keys(std::string_view text);

}  // namespace curupira::registry
