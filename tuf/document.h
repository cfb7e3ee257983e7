#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "tuf/limits.h"

namespace curupira::tuf {

struct Signature {
  std::string key_id = {};
  std::string hex = {};  ///< may be anything, also empty: then it does not hold
  json::Object unknown = {};
  bool operator==(const Signature&) const = default;
};

/// A metadata file as it came, read as JSON; nothing of it is believed (TUF 1.0.34 §4.2).
struct Document {
  json::Object content = {};  ///< the member "signed"
  std::vector<Signature> signatures = {};
  json::Object unknown = {};
  bool operator==(const Document&) const = default;

  const Signature* signature_of(std::string_view key_id) const;
};

/// Errors: tuf_syntax for what is not JSON, for members of one name, for numbers that are not whole and for
/// deeper nesting than `limits`; tuf_field when "signed" or "signatures" are not there; tuf_key_twice for two
/// signatures of one key id.
Result<Document> parse_document(std::string_view text, const Limits& limits = {});

/// The bytes that are signed and verified. Error: tuf_syntax.
Result<std::string> bytes_to_sign(const json::Object& content);

/// The text of a metadata file, in compact JSON. Error: tuf_syntax for what could not be signed.
Result<std::string> write_document(const Document& document);

}  // namespace curupira::tuf
