#include "registry/registry_proof.h"

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "base/timestamp.h"
#include "manifest/manifest.h"
#include "registry/package_index.h"
#include "registry/repository_roles.h"
#include "tuf/delegation_match.h"
#include "tuf/document.h"
#include "tuf/metadata_parser.h"
#include "tuf/verification.h"

namespace curupira::registry {
namespace {

/// The files are those of a proof that holds: they can be read.
Result<tuf::Document> document_of(const tuf::TargetProof& proof, std::string_view role) {
  const auto file = proof.metadata.find(role);
  if (file == proof.metadata.end())
    return fail(ErrorCode::tuf_metadata_missing, "the proof has no metadata of " + printable(role));
  return tuf::parse_document(file->second);
}

VouchingRole signed_by(const tuf::Document& document, const tuf::Common& common, std::string role,
                       const tuf::RoleKeys& keys) {
  VouchingRole result{.role = std::move(role),
                      .version = common.version,
                      .expires = common.expires,
                      .threshold = keys.threshold};
  std::ranges::copy_if(keys.key_ids, std::back_inserter(result.key_ids), [&](const std::string& id) {
    const auto* const signature = document.signature_of(id);
    return signature != nullptr && !signature->hex.empty();
  });
  return result;
}

/// Who signed what the target was found through.
Result<std::vector<VouchingRole>> roles_of(const tuf::TargetProof& proof, const tuf::TargetInfo& target) {
  std::vector<VouchingRole> roles;
  CURUPIRA_TRY(const tuf::Document root_document, document_of(proof, tuf::root_role));
  CURUPIRA_TRY(const tuf::Root root, tuf::read_root(root_document.content));
  const auto add_top_level = [&](const tuf::Document& document, const tuf::Common& common,
                                 std::string_view role) {
    roles.push_back(signed_by(document, common, std::string(role), root.role(role)));
  };
  add_top_level(root_document, root.common, tuf::root_role);
  CURUPIRA_TRY(const tuf::Document timestamp_document, document_of(proof, tuf::timestamp_role));
  CURUPIRA_TRY(const tuf::Timestamp timestamp, tuf::read_timestamp(timestamp_document.content));
  add_top_level(timestamp_document, timestamp.common, tuf::timestamp_role);
  CURUPIRA_TRY(const tuf::Document snapshot_document, document_of(proof, tuf::snapshot_role));
  CURUPIRA_TRY(const tuf::Snapshot snapshot, tuf::read_snapshot(snapshot_document.content));
  add_top_level(snapshot_document, snapshot.common, tuf::snapshot_role);

  std::optional<tuf::Targets> above;
  for (const std::string& role : target.way) {
    CURUPIRA_TRY(const tuf::Document document, document_of(proof, role));
    CURUPIRA_TRY(tuf::Targets targets, tuf::read_targets(document.content));
    if (!above) {
      add_top_level(document, targets.common, role);
    } else if (above->delegations) {
      for (const auto& each : tuf::matching_delegations(*above->delegations, target.name))
        if (each.role == role) roles.push_back(signed_by(document, targets.common, role, *each.keys));
    }
    above = std::move(targets);
  }
  return roles;
}

/// A publisher's role is one that the targets role gives names to. Bins are the registry's own, however they
/// are delegated, and what a role of another place is called says nothing.
Result<manifest::VerificationLevel> level_of(const tuf::TargetProof& proof, const tuf::TargetInfo& target) {
  using manifest::VerificationLevel;
  if (target.way.size() < 2 || !is_publisher_name(target.way[1])) return VerificationLevel::registry_signed;
  CURUPIRA_TRY(const tuf::Document document, document_of(proof, tuf::targets_role));
  CURUPIRA_TRY(const tuf::Targets targets, tuf::read_targets(document.content));
  if (!targets.delegations || !targets.delegations->roles) return VerificationLevel::registry_signed;
  const auto& roles = *targets.delegations->roles;
  const auto publisher = std::ranges::find(roles, target.way[1], &tuf::DelegatedRole::name);
  return publisher != roles.end() && publisher->paths ? VerificationLevel::publisher_signed
                                                      : VerificationLevel::registry_signed;
}

/// The role as it is now, where it is known and signed by those who count for it; else as it was.
Result<tuf::Targets> delegator_now(const TrustedKeys& trusted, const std::string& role,
                                   const tuf::RoleKeys& keys, const tuf::KeyTable& table,
                                   const tuf::Document& before) {
  CURUPIRA_TRY(tuf::Targets targets, tuf::read_targets(before.content));
  const auto file = trusted.delegators.find(role);
  if (file == trusted.delegators.end()) return targets;
  const auto document = tuf::parse_document(file->second);
  if (!document || !tuf::check_signatures(*document, keys, table, role)) return targets;
  auto now = tuf::read_targets(document->content);
  return now && now->common.version >= targets.common.version ? *std::move(now) : std::move(targets);
}

/// Whoever names keys may have named others since: those have to have signed.
Result<> check_delegations(const tuf::TargetProof& proof, const tuf::TargetInfo& target,
                           const TrustedKeys& trusted) {
  CURUPIRA_TRY(const tuf::Document root_document, document_of(proof, tuf::root_role));
  CURUPIRA_TRY(const tuf::Root root, tuf::read_root(root_document.content));
  std::optional<tuf::Targets> above;
  for (const std::string& role : target.way) {
    const tuf::RoleKeys* keys = &root.role(tuf::targets_role);
    const tuf::KeyTable* table = &root.keys;
    std::vector<tuf::MatchingDelegation> matching;
    if (above) {
      if (above->delegations) matching = tuf::matching_delegations(*above->delegations, target.name);
      const auto found = std::ranges::find(matching, role, &tuf::MatchingDelegation::role);
      if (found == matching.end())
        return fail(ErrorCode::tuf_threshold, printable(role) + " does not count for this package any more");
      keys = found->keys;
      table = &above->delegations->keys;
    }
    CURUPIRA_TRY(const tuf::Document document, document_of(proof, role));
    CURUPIRA_CHECK(tuf::check_signatures(document, *keys, *table, printable(role)));
    CURUPIRA_TRY(auto now, delegator_now(trusted, role, *keys, *table, document));
    above = std::move(now);
  }
  return {};
}

/// Among its files, or in the launch table of its manifest: a file that is inside of its archive.
bool names(const PackageVersion& release, const Digest& file) {
  if (std::ranges::find(release.artifacts, file, &IndexArtifact::sha256) != release.artifacts.end())
    return true;
  CollectedDiagnostics ignored;
  const auto manifest = manifest::parse_manifest(release.manifest, manifest::manifest_file_name, ignored);
  if (!manifest) return false;
  const auto* const binary = std::get_if<manifest::BinaryLaunch>(&manifest->launch);
  const auto* const archive = std::get_if<manifest::ArchiveLaunch>(&manifest->launch);
  if (binary == nullptr && archive == nullptr) return false;
  const auto& platforms = binary != nullptr ? binary->platforms : archive->platforms;
  return std::ranges::any_of(platforms, [&](const auto& each) { return each.second.sha256 == file; });
}

Result<RegistryWord> check(const RegistryProof& proof, const TrustedKeys& trusted, const Digest& file) {
  CURUPIRA_TRY(const tuf::TargetName name, tuf::TargetName::parse(proof.package.target()));
  CURUPIRA_TRY(const tuf::TargetInfo target, tuf::verify_proof(proof.metadata, name));
  const std::string shown = proof.registry + ":" + proof.package.text() + " " + printable(proof.version);
  for (const Digest& digest : target.digests)
    if (digest_of(digest.algorithm(), proof.index) != digest)
      return fail(ErrorCode::tuf_target_swapped, "the index of " + shown + " is another one than was signed");
  CURUPIRA_TRY(const PackageIndex index, parse_package_index(proof.index, proof.package));
  const PackageVersion* const release = index.find(proof.version);
  if (release == nullptr || !names(*release, file))
    return fail(ErrorCode::release_differs, shown + " has no file with the digest " + file.sri());
  CURUPIRA_CHECK(check_delegations(proof.metadata, target, trusted));
  CURUPIRA_TRY(auto roles, roles_of(proof.metadata, target));
  CURUPIRA_TRY(const auto level, level_of(proof.metadata, target));
  return RegistryWord{.level = level, .roles = std::move(roles)};
}

}  // namespace

Result<RegistryWord> check_registry_proof(const RegistryProof& proof, const TrustedKeys& trusted,
                                          const Digest& file) {
  RegistryProof now = proof;
  now.metadata.metadata.insert_or_assign(std::string(tuf::root_role), trusted.root);
  auto word = check(now, trusted, file);
  if (word || word.error().code() != ErrorCode::tuf_threshold || !check(proof, {}, file)) return word;
  return fail(
      Error(ErrorCode::tuf_threshold,
            proof.registry + ":" + proof.package.text() + " " + printable(proof.version) +
                " was vouched for at " + format_timestamp(proof.metadata.time) +
                " with a key that the registry has taken away since: " + word.error().detail())
          .with_help("`curupira plugins verify --repair` or `curupira plugins sync` asks the registry "
                     "whether it still vouches for these bytes"));
}

Result<TrustedKeys> read_trusted_keys(const FileSystem& files, const HomeLayout& home,
                                      const std::string& registry) {
  const auto folder = home.trust() / registry;
  const tuf::Limits limits;
  TrustedKeys trusted;
  auto root = files.read_file(folder / tuf::metadata_file_name(tuf::root_role), limits.max_root_bytes);
  if (!root && root.error().code() == ErrorCode::file_not_found)
    return fail(Error(ErrorCode::tuf_trust_missing, printable(folder.string()))
                    .with_help("`curupira registry add " + printable(registry) +
                               " URL --root-fingerprint sha256:…` says which root to trust"));
  if (!root) return fail(std::move(root).error());
  trusted.root = *std::move(root);
  for (const std::string_view role : {tuf::targets_role, bins_role}) {
    auto file = files.read_file(folder / tuf::metadata_file_name(role), limits.max_targets_bytes);
    if (file) trusted.delegators.emplace(role, *std::move(file));
  }
  return trusted;
}

json::Object to_json(const RegistryProof& proof) {
  json::Object metadata;
  for (const auto& [role, file] : proof.metadata.metadata)
    metadata.set(role, file);
  json::Object object;
  object.set("registry", proof.registry);
  object.set("package", proof.package.text());
  object.set("version", proof.version);
  object.set("time", format_timestamp(proof.metadata.time));
  object.set("metadata", std::move(metadata));
  object.set("index", proof.index);
  return object;
}

std::optional<RegistryProof> read_registry_proof(const json::Value& value) {
  const auto text = [&](std::string_view name) -> const std::string* { return value.find_string(name); };
  const std::string* const registry = text("registry");
  const std::string* const package = text("package");
  const std::string* const version = text("version");
  const std::string* const time = text("time");
  const std::string* const index = text("index");
  const json::Value* const metadata = value.find("metadata");
  if (registry == nullptr || package == nullptr || version == nullptr || time == nullptr ||
      index == nullptr || metadata == nullptr || metadata->as_object() == nullptr)
    return std::nullopt;
  auto name = PackageName::parse(*package);
  const auto obtained = parse_timestamp(*time);
  if (!name || !obtained) return std::nullopt;
  RegistryProof proof{.registry = *registry,
                      .package = *std::move(name),
                      .version = *version,
                      .metadata = {.time = *obtained},
                      .index = *index};
  for (const auto& [role, file] : *metadata->as_object()) {
    if (file.as_string() == nullptr) return std::nullopt;
    proof.metadata.metadata.emplace(role, *file.as_string());
  }
  return proof;
}

}  // namespace curupira::registry
