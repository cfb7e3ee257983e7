#include "installer/proof_store.h"

#include "base/json.h"
#include "base/printable.h"
#include "installer/limits.h"

namespace curupira::installer {
namespace {

std::optional<KeptProof> read(const json::Value& root, const Digest& digest) {
  const json::Value* const format = root.find("format");
  const std::string* const package = root.find_string("package");
  const std::string* const version = root.find_string("version");
  const std::string* const sri = root.find_string("digest");
  const json::Value* const signatures = root.find("signatures");
  if (format == nullptr || format->as_int() != KeptProof::format || package == nullptr ||
      version == nullptr || sri == nullptr || *sri != digest.sri() || signatures == nullptr ||
      signatures->as_array() == nullptr || signatures->as_array()->empty())
    return std::nullopt;
  KeptProof proof{.package = *package, .version = *version, .digest = digest, .signatures = {}};
  for (const json::Value& entry : *signatures->as_array()) {
    auto signature = registry::read_signature(entry);
    if (!signature) return std::nullopt;
    proof.signatures.push_back(*std::move(signature));
  }
  return proof;
}

}  // namespace

std::filesystem::path proof_file(const Store& store, const Digest& digest) {
  return store.home().proofs() / (std::string(name_of(digest.algorithm())) + "-" + digest.hex() + ".json");
}

std::string proof_text(const KeptProof& proof) {
  json::Array signatures;
  for (const auto& signature : proof.signatures)
    signatures.push_back(registry::to_json(signature));
  json::Object root;
  root.set("format", KeptProof::format);
  root.set("package", proof.package);
  root.set("version", proof.version);
  root.set("digest", proof.digest.sri());
  root.set("signatures", std::move(signatures));
  return json::write_pretty(std::move(root));
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

Result<> repeat_proof(const Store& store, const Digest& digest) {
  CURUPIRA_TRY(const auto proof, read_proof(store, digest));
  if (!proof)
    return fail(ErrorCode::proof_damaged, printable(proof_file(store, digest).string()) + " is missing");
  for (const auto& signature : proof->signatures)
    CURUPIRA_CHECK(registry::check_signature(signature, proof->package, proof->version, digest));
  return {};
}

registry::Proof with_kept_proof(const Store& store, const registry::Artifact& artifact) {
  registry::Proof proof = artifact.proof;
  if (!proof.signatures.empty()) return proof;
  for (const Digest& digest : proof.any_of) {
    const auto kept = read_proof(store, digest);
    // One that cannot be read vouches for nothing; `plugins verify` names it.
    if (!kept || !*kept || !repeat_proof(store, digest)) continue;
    if ((*kept)->package == artifact.package && (*kept)->version == artifact.version) {
      proof.signatures = (*kept)->signatures;
      return proof;
    }
  }
  return proof;
}

}  // namespace curupira::installer
