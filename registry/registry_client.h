#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostics.h"
#include "registry/carrier.h"
#include "registry/kept_metadata.h"
#include "registry/package_index.h"
#include "registry/registry_trust.h"
#include "registry/search_index.h"
#include "registry/sources.h"
#include "tuf/client.h"

namespace curupira::registry {

/// What a registry says of one package, verified.
struct PackageRecord {
  PackageIndex index;
  std::string text;      ///< the index as the registry wrote it
  tuf::TargetInfo info;  ///< what the metadata says of this text, and which role does
  tuf::TargetProof proof;
};

/// One registry as its user has it, for the life of one command: updated once, then asked. Offline it gives
/// what was read while the registry could be asked, as long as that has not expired and the policy's age
/// allows it.
class RegistryClient {
 public:
  /// Updates what is known of the registry, and trusts its root first where the settings name the fingerprint
  /// and no root is trusted yet. All references have to outlive it. Errors: root_unconfirmed when nobody said
  /// which root is the right one; root_fingerprint; registry_stale; tuf_*; offline_missing; those of the
  /// carrier.
  static Result<std::unique_ptr<RegistryClient>> open(const SourceTools& tools,
                                                      const manifest::RegistrySettings& settings,
                                                      Diagnostics& diagnostics);
  /// The same; `carrier` is asked instead of the address in the settings.
  static Result<std::unique_ptr<RegistryClient>> open(const SourceTools& tools,
                                                      const manifest::RegistrySettings& settings,
                                                      Diagnostics& diagnostics,
                                                      std::shared_ptr<Carrier> carrier);
  /// Begins to trust this root when an update that starts with it succeeds; nothing is left else. Errors:
  /// those of the update.
  static Result<> begin_trust(const SourceTools& tools, const manifest::RegistrySettings& settings,
                              Diagnostics& diagnostics, std::shared_ptr<Carrier> carrier,
                              const FirstRoot& root);
  RegistryClient(const RegistryClient&) = delete;
  RegistryClient& operator=(const RegistryClient&) = delete;

  const std::string& name() const { return settings_.name; }
  bool offline() const { return carrier_ == nullptr; }

  /// Errors: package_unlisted; package_index_invalid; tuf_*; offline_missing; those of the carrier.
  Result<PackageRecord> find(const PackageName& package);

  /// Writes an artifact into the sink. Errors: tuf_target_swapped; offline_missing; those of the carrier and
  /// of the sink.
  Result<> fetch(const IndexArtifact& artifact, ByteSink& sink);

  /// The packages that have all the words in name, summary or triggers, case aside, sorted by name. Reads the
  /// registry's search index, and the metadata of what has changed since. Errors: as `find`;
  /// search_index_invalid.
  Result<std::vector<FoundPackage>> search(std::vector<std::string> words);

 private:
  RegistryClient(const SourceTools& tools, const manifest::RegistrySettings& settings,
                 Diagnostics& diagnostics, RegistryTrust trust, std::shared_ptr<Carrier> carrier);

  /// Of the folder of trust: makes it, or sees that it is that of this registry.
  Result<> check_trust();
  /// Until a carrier gives metadata that holds, or there is no other one.
  Result<> update();
  Result<> update_once();
  Result<PackageRecord> find_once(const PackageName& package);
  Result<> check_age() const;
  /// Since when what it says is known: now, or when a copy that was carried here was signed.
  std::chrono::sys_seconds known_since() const;
  /// True when the error is about metadata, and another carrier is asked from now on.
  bool reject(const Error& error);
  /// Asks again after each carrier whose metadata did not hold.
  template <class T>
  Result<T> with_every_carrier(const std::function<Result<T>()>& ask) {
    while (true) {
      if (!client_) CURUPIRA_CHECK(update());  // the one before could not begin
      auto answer = ask();
      client_->pause();
      if (answer || !reject(answer.error())) return answer;
      CURUPIRA_CHECK(update());
    }
  }

  Result<std::vector<FoundPackage>> search_once(const std::vector<std::string>& words);
  /// Those of the search index, and of the roles that have changed since it was made.
  Result<std::vector<FoundPackage>> all_packages();
  Result<SearchIndex> search_index();
  Result<std::vector<std::string>> changed_roles(const SearchIndex& index);
  Result<std::vector<FoundPackage>> packages_of(const std::string& role);
  /// A verified target, kept or fetched.
  Result<std::string> target(const tuf::TargetInfo& info, std::uint64_t max_bytes);

  const SourceTools& tools_;
  const manifest::RegistrySettings& settings_;
  Diagnostics& diagnostics_;
  RegistryTrust trust_;
  std::shared_ptr<Carrier> carrier_;  ///< null: offline
  std::unique_ptr<tuf::MetadataFetcher> fetcher_;
  std::optional<tuf::Client> client_;
};

}  // namespace curupira::registry
