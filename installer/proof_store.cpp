#include "installer/proof_store.h"

#include "base/json.h"
#include "base/printable.h"
#include "installer/limits.h"
#include "registry/registry_release.h"

namespace curupira::installer {
namespace {

std::optional<KeptProof> read(const json::Value& root, const Digest& digest) {
  const json::Value* const format = root.find("format");
  const std::string* const package = root.find_string("package");
  const std::string* const version = root.find_string("version");
  const std::string* const sri = root.find_string("digest");
  if (format == nullptr || format->as_int() != KeptProof::format || package == nullptr ||
      version == nullptr || sri == nullptr || *sri != digest.sri())
    return std::nullopt;
  KeptProof proof{.package = *package, .version = *version, .digest = digest, .by = {}};
  if (const json::Value* const word = root.find("registry")) {
    auto read = registry::read_registry_proof(*word);
    if (!read) return std::nullopt;
    proof.by = *std::move(read);
    return proof;
  }
  const json::Value* const entries = root.find("signatures");
  if (entries == nullptr || entries->as_array() == nullptr || entries->as_array()->empty())
    return std::nullopt;
  std::vector<registry::RegistrySignature> signatures;
  for (const json::Value& entry : *entries->as_array()) {
    auto signature = registry::read_signature(entry);
    if (!signature) return std::nullopt;
    signatures.push_back(*std::move(signature));
  }
  proof.by = std::move(signatures);
  return proof;
}

}  // namespace

std::filesystem::path proof_file(const Store& store, const Digest& digest) {
  return store.home().proofs() / (std::string(name_of(digest.algorithm())) + "-" + digest.hex() + ".json");
}

std::string proof_text(const KeptProof& proof) {
  json::Object root;
  root.set("format", KeptProof::format);
  root.set("package", proof.package);
  root.set("version", proof.version);
  root.set("digest", proof.digest.sri());
  if (const auto* const signatures = std::get_if<std::vector<registry::RegistrySignature>>(&proof.by)) {
    json::Array array;
    for (const auto& signature : *signatures)
      array.push_back(registry::to_json(signature));
    root.set("signatures", std::move(array));
  } else {
    root.set("registry", registry::to_json(std::get<registry::RegistryProof>(proof.by)));
  }
  return json::write_pretty(std::move(root));
}

KeptProof kept_proof(const registry::Proof& proof, std::string package, std::string version,
                     const Digest& digest) {
  KeptProof kept{
      .package = std::move(package), .version = std::move(version), .digest = digest, .by = proof.signatures};
  if (proof.vouched) kept.by = proof.vouched->proof;
  return kept;
}

std::optional<KeptProof> parse_proof(std::string_view text, const Digest& digest) {
  const auto root = json::parse(text);
  return root ? read(*root, digest) : std::nullopt;
}

Result<std::optional<KeptProof>> read_proof(const Store& store, const Digest& digest) {
  const auto path = proof_file(store, digest);
  const auto text = store.files().read_file(path, max_proof_bytes);
  if (!text) {
    if (text.error().code() == ErrorCode::file_not_found) return std::optional<KeptProof>();
    return fail(Error(ErrorCode::proof_damaged, printable(path.string())).caused_by(text.error()));
  }
  auto proof = parse_proof(*text, digest);
  if (!proof) return fail(ErrorCode::proof_damaged, printable(path.string()));
  return proof;
}

Result<registry::Proof> proof_of(const Store& store, const KeptProof& proof) {
  registry::Proof result{.any_of = {proof.digest}};
  if (const auto* const signatures = std::get_if<std::vector<registry::RegistrySignature>>(&proof.by)) {
    result.signatures = *signatures;
    return result;
  }
  const auto& word = std::get<registry::RegistryProof>(proof.by);
  CURUPIRA_TRY(registry::TrustedKeys trusted,
               registry::read_trusted_keys(store.files(), store.home(), word.registry));
  result.vouched = std::make_shared<const registry::Vouching>(word, std::move(trusted));
  return result;
}

Result<RepeatedProof> repeat_proof(const Store& store, const Digest& digest) {
  CURUPIRA_TRY(const auto kept, read_proof(store, digest));
  if (!kept)
    return fail(ErrorCode::proof_damaged, printable(proof_file(store, digest).string()) + " is missing");
  CURUPIRA_TRY(const registry::Proof proof, proof_of(store, *kept));
  for (const auto& signature : proof.signatures)
    CURUPIRA_CHECK(registry::check_signature(signature, kept->package, kept->version, digest));
  if (!proof.vouched)
    return RepeatedProof{.level = manifest::VerificationLevel::registry_signed, .roles = {}};
  CURUPIRA_TRY(auto word,
               registry::check_registry_proof(proof.vouched->proof, proof.vouched->trusted, digest));
  return RepeatedProof{.level = word.level, .roles = std::move(word.roles)};
}

bool is_of(const KeptProof& proof, const std::string& package, const std::string& version) {
  const auto* const word = std::get_if<registry::RegistryProof>(&proof.by);
  if (word == nullptr) return proof.package == package && proof.version == version;
  const std::string& name = word->package.text();
  return package == name || package.starts_with(name + "/") || registry::is_inner_file(package, name);
}

registry::Proof with_kept_proof(const Store& store, const registry::Artifact& artifact) {
  registry::Proof proof = artifact.proof;
  if (proof.is_signed()) return proof;
  for (const Digest& digest : proof.any_of) {
    const auto kept = read_proof(store, digest);
    // One that cannot be read vouches for nothing; `plugins verify` names it.
    if (!kept || !*kept || !repeat_proof(store, digest)) continue;
    if (!is_of(**kept, artifact.package, artifact.version)) continue;
    auto known = proof_of(store, **kept);
    if (!known) continue;
    proof.signatures = std::move(known->signatures);
    proof.vouched = std::move(known->vouched);
    return proof;
  }
  return proof;
}

}  // namespace curupira::installer
