#include "tuf/document.h"

#include <algorithm>

#include "base/printable.h"
#include "tuf/canonical_json.h"
#include "tuf/fields.h"

namespace curupira::tuf {
namespace {

Result<Signature> read_signature(const json::Value& value, std::string where) {
  CURUPIRA_TRY(Fields fields, Fields::of(value, std::move(where)));
  Signature signature;
  CURUPIRA_TRY(signature.key_id, fields.text("keyid"));
  CURUPIRA_TRY(signature.hex, fields.text("sig"));
  signature.unknown = fields.rest();
  return signature;
}

Result<> check_unique(const std::vector<Signature>& signatures) {
  std::vector<std::string_view> ids;
  ids.reserve(signatures.size());
  for (const Signature& signature : signatures)
    ids.push_back(signature.key_id);
  std::ranges::sort(ids);
  const auto twice = std::ranges::adjacent_find(ids);
  if (twice == ids.end()) return {};
  return fail(ErrorCode::tuf_key_twice, "there are two signatures of the key " + excerpt(*twice, 80));
}

}  // namespace

const Signature* Document::signature_of(std::string_view key_id) const {
  const auto found = std::ranges::find(signatures, key_id, &Signature::key_id);
  return found == signatures.end() ? nullptr : &*found;
}

Result<Document> parse_document(std::string_view text, const Limits& limits) {
  const json::Limits json_limits{
      .max_bytes = text.size(), .max_depth = limits.max_json_depth, .whole_numbers_only = true};
  auto value = json::parse(text, json_limits);
  if (!value) return fail(ErrorCode::tuf_syntax, value.error().detail());
  CURUPIRA_TRY(Fields fields, Fields::of(*value, "the metadata"));
  Document document;
  CURUPIRA_CHECK(fields.object("signed"));
  CURUPIRA_TRY(const json::Array* listed, fields.array("signatures"));
  document.signatures.reserve(listed->size());
  for (const json::Value& each : *listed) {
    CURUPIRA_TRY(Signature signature, read_signature(each, "a signature"));
    document.signatures.push_back(std::move(signature));
  }
  CURUPIRA_CHECK(check_unique(document.signatures));
  document.unknown = fields.rest();
  document.content = std::move(*value->as_object()->find("signed")->as_object());  // it can be large
  return document;
}

Result<std::string> bytes_to_sign(const json::Object& content) {
  return canonical_json(content);
}

Result<std::string> write_document(const Document& document) {
  json::Array signatures;
  for (const Signature& signature : document.signatures) {
    json::Object object = signature.unknown;
    object.set("keyid", signature.key_id);
    object.set("sig", signature.hex);
    signatures.emplace_back(std::move(object));
  }
  json::Object whole = document.unknown;
  whole.set("signatures", std::move(signatures));
  whole.set("signed", document.content);
  CURUPIRA_CHECK(canonical_json(whole));  // else it could not be read again
  return json::write(whole) + "\n";
}

}  // namespace curupira::tuf
