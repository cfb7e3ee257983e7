#include "base/printable.h"
#include "fuzz/fuzz_target.h"
#include "tuf/canonical_json.h"
#include "tuf/delegation_match.h"
#include "tuf/document.h"
#include "tuf/metadata_parser.h"
#include "tuf/metadata_writer.h"

using namespace curupira;

namespace {

/// What a parser read is written as it was signed.
template <class Model>
void check_model(const Result<Model>& model, const json::Object& content) {
  if (!model) {
    fuzz::require(is_valid_utf8(model.error().detail()), "an error is valid UTF-8");
    return;
  }
  const auto written = tuf::bytes_to_sign(tuf::content_of(*model));
  const auto was_signed = tuf::bytes_to_sign(content);
  fuzz::require(written && was_signed && *written == *was_signed,
                "nothing is lost between reading and writing");
}

void check_delegations(const tuf::Delegations& delegations) {
  for (const char* const name : {"a", "packages/x/1.0.0.json", "ä/*"}) {
    for (const auto& each : tuf::matching_delegations(delegations, tuf::TargetName::parse(name).value()))
      fuzz::require(each.keys != nullptr && !tuf::is_top_level_role(each.role),
                    "a delegation is to a delegated role");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document = tuf::parse_document(fuzz::text_of(data, size));
  if (!document) {
    fuzz::require(is_valid_utf8(document.error().detail()), "an error is valid UTF-8");
    return 0;
  }
  const auto written = tuf::write_document(*document);
  fuzz::require(written && tuf::parse_document(*written) == *document, "a document reads back as it was");
  check_model(tuf::read_root(document->content), document->content);
  check_model(tuf::read_timestamp(document->content), document->content);
  check_model(tuf::read_snapshot(document->content), document->content);
  const auto targets = tuf::read_targets(document->content);
  check_model(targets, document->content);
  if (targets && targets->delegations) check_delegations(*targets->delegations);
  return 0;
}
