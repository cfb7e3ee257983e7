#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/private_key.h"
#include "tuf/fetcher.h"
#include "tuf/metadata_writer.h"
#include "tuf/signing.h"

namespace curupira::tuf::test {

/// A repository that our own writer signs, served from memory. `asked` is what the client asked for.
class MemoryRepository final : public MetadataFetcher {
 public:
  MemoryRepository() {
    root.consistent_snapshot = true;
    for (const std::string_view role : {root_role, timestamp_role, snapshot_role, targets_role}) {
      const Key described = Key::from_ed25519(key.public_key()).value();
      root.keys.emplace(described.id(), described);
      root.roles[std::string(role)].key_ids = {described.id()};
    }
    const std::chrono::sys_seconds expires{std::chrono::sys_days{std::chrono::year{2031} / 1 / 1}};
    root.common.expires = timestamp.common.expires = snapshot.common.expires = targets.common.expires =
        expires;
    publish();
  }

  /// Signs all roles with the one key there is, at the versions that they have.
  void publish() {
    snapshot.meta[listed_file_name(targets_role)].version = targets.common.version;
    timestamp.snapshot.version = snapshot.common.version;
    put(root_role, root.common.version, content_of(root));
    put(targets_role, targets.common.version, content_of(targets));
    put(snapshot_role, snapshot.common.version, content_of(snapshot));
    put(timestamp_role, std::nullopt, content_of(timestamp));
  }

  void put(std::string_view role, std::optional<std::int64_t> version, json::Object content) {
    const std::vector keys{key};
    files[metadata_file_name(role, version)] = signed_file(std::move(content), keys).value();
  }

  /// Delegates every target to bins of the one key.
  void delegate_bins(int bit_length) {
    Delegations delegations;
    delegations.keys = root.keys;
    delegations.succinct_roles = SuccinctRoles{
        .keys = {.key_ids = root.role(targets_role).key_ids}, .bit_length = bit_length, .name_prefix = "bin"};
    targets.delegations = std::move(delegations);
  }

  Result<std::optional<std::string>> fetch(const std::string& name, std::uint64_t max_bytes) override {
    asked.push_back(name);
    const auto file = files.find(name);
    if (file == files.end()) return std::nullopt;
    if (file->second.size() > max_bytes) return fail(ErrorCode::tuf_metadata_too_large, name);
    bytes += file->second.size();
    return file->second;
  }

  PrivateKey key = PrivateKey::generate().value();
  Root root;
  Timestamp timestamp;
  Snapshot snapshot;
  Targets targets;
  std::map<std::string, std::string> files;
  std::vector<std::string> asked;
  std::size_t bytes = 0;  ///< that were fetched
};

}  // namespace curupira::tuf::test
