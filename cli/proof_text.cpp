#include "cli/proof_text.h"

#include <ostream>

#include "base/printable.h"
#include "base/timestamp.h"
#include "cli/report.h"

namespace curupira::cli {
namespace {

void line(Terminal& terminal, std::string_view label, std::string_view value) {
  terminal.out() << "    " << label << std::string(label.size() < 11 ? 11 - label.size() : 1, ' ') << value
                 << '\n';
}

void print_signature(Terminal& terminal, const registry::RegistrySignature& signature) {
  line(terminal, "signed", printable(signature.text));
  line(terminal, "key",
       printable(signature.key_id) + " (" + printable(signature.scheme) + ") of " +
           printable(signature.registry));
  if (signature.expires)
    line(terminal, "expires",
         printable(*signature.expires) + ", the version was published " +
             printable(signature.published.value_or("at an unknown time")));
  if (!signature.obtained.empty()) line(terminal, "obtained", printable(signature.obtained));
}

std::string joined(const std::vector<std::string>& ids) {
  std::string text;
  for (const auto& id : ids)
    text += (text.empty() ? "" : ", ") + printable(id);
  return text.empty() ? "nobody" : text;
}

/// Who of a curupira registry vouches: each role vouches for the one below it, the last for the file.
void print_word(Terminal& terminal, const installer::ProofExplanation& proof) {
  const auto& word = *proof.word;
  line(terminal, "signed",
       "by the registry " + printable(word.registry) + ", which names it a file of " + word.package.text() +
           " " + printable(word.version));
  line(terminal, "obtained", format_timestamp(word.metadata.time));
  for (const auto& role : proof.roles)
    line(terminal, "role",
         printable(role.role) + " version " + std::to_string(role.version) + ", " +
             std::to_string(role.threshold) + (role.threshold == 1 ? " key needed" : " keys needed") +
             ", signed by " + joined(role.key_ids) + ", expires " + format_timestamp(role.expires));
}

void print_proof(Terminal& terminal, const installer::ProofExplanation& proof) {
  const auto& artifact = proof.artifact;
  auto& out = terminal.out();
  out << "  " << printable(artifact.package) << (artifact.version.empty() ? "" : " ")
      << printable(artifact.version) << "  " << manifest::name_of(artifact.level) << '\n';
  line(terminal, "digest", artifact.digest.sri());
  if (proof.word)
    print_word(terminal, proof);
  else if (proof.signatures.empty())
    line(terminal, "signed", "nothing: only the digest vouches");
  for (const auto& signature : proof.signatures)
    print_signature(terminal, signature);
  if (proof.problem)
    line(terminal, "problem", terminal.out_styled(Terminal::Style::red, proof.problem->summary()));
  if (!proof.blob_there) line(terminal, "problem", "the bytes are not in the store any more");
  for (const auto& check : proof.by_hand) {
    out << "    " << check.what << ", by hand; prints " << check.prints << '\n';
    for (const auto& command : check.commands)
      out << "      " << printable(command) << '\n';
  }
}

json::Value word_to_json(const installer::ProofExplanation& proof) {
  json::Array roles;
  for (const auto& role : proof.roles) {
    json::Array keys;
    for (const auto& id : role.key_ids)
      keys.emplace_back(id);
    json::Object object;
    object.set("role", role.role);
    object.set("version", role.version);
    object.set("threshold", role.threshold);
    object.set("keys", std::move(keys));
    object.set("expires", format_timestamp(role.expires));
    roles.emplace_back(std::move(object));
  }
  json::Object object;
  object.set("name", proof.word->registry);
  object.set("package", proof.word->package.text());
  object.set("version", proof.word->version);
  object.set("time", format_timestamp(proof.word->metadata.time));
  object.set("roles", std::move(roles));
  return object;
}

}  // namespace

void print_proofs(Terminal& terminal, const manifest::Receipt& receipt,
                  const std::vector<installer::ProofExplanation>& proofs) {
  terminal.out() << printable(receipt.name) << ' ' << printable(receipt.version) << " from "
                 << printable(receipt.reference) << '\n';
  if (proofs.empty()) terminal.out() << "  nothing was fetched for it: there is nothing to prove\n";
  for (const auto& proof : proofs)
    print_proof(terminal, proof);
}

json::Value proofs_to_json(const manifest::Receipt& receipt,
                           const std::vector<installer::ProofExplanation>& proofs) {
  json::Array artifacts;
  for (const auto& proof : proofs) {
    json::Array signatures, by_hand;
    for (const auto& signature : proof.signatures)
      signatures.push_back(registry::to_json(signature));
    for (const auto& check : proof.by_hand) {
      json::Array commands;
      for (const auto& command : check.commands)
        commands.emplace_back(command);
      json::Object object;
      object.set("what", check.what);
      object.set("commands", std::move(commands));
      object.set("prints", check.prints);
      by_hand.emplace_back(std::move(object));
    }
    json::Object object;
    object.set("package", proof.artifact.package);
    if (!proof.artifact.version.empty()) object.set("version", proof.artifact.version);
    object.set("level", manifest::name_of(proof.artifact.level));
    object.set("digest", proof.artifact.digest.sri());
    object.set("blob", proof.blob.string());
    object.set("signatures", std::move(signatures));
    if (proof.word) object.set("registry", word_to_json(proof));
    object.set("byHand", std::move(by_hand));
    if (proof.problem) object.set("problem", error_to_json(*proof.problem));
    artifacts.emplace_back(std::move(object));
  }
  json::Object extension;
  extension.set("name", receipt.name);
  extension.set("version", receipt.version);
  extension.set("reference", receipt.reference);
  extension.set("artifacts", std::move(artifacts));
  return extension;
}

}  // namespace curupira::cli
