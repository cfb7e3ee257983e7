#include "registry/oci_referrers.h"

#include "base/json.h"
#include "registry/limits.h"

namespace curupira::registry {

Result<std::vector<OciReferrer>> parse_oci_referrers(std::string_view text) {
  const auto root = json::parse(text, {.max_bytes = Limits::max_oci_index_bytes, .max_depth = 16});
  const json::Value* const manifests = root ? root->find("manifests") : nullptr;
  if (manifests == nullptr || manifests->as_array() == nullptr)
    return fail(ErrorCode::carrier_unreadable, "the list of referrers is no index");
  std::vector<OciReferrer> referrers;
  for (const json::Value& entry : *manifests->as_array()) {
    OciReferrer referrer;
    if (const std::string* const type = entry.find_string("artifactType")) referrer.artifact_type = *type;
    const json::Value* const annotations = entry.find("annotations");
    if (annotations != nullptr && annotations->as_object() != nullptr) {
      for (const auto& [name, value] : *annotations->as_object()) {
        if (value.as_string() != nullptr) referrer.annotations[name] = *value.as_string();
      }
    }
    referrers.push_back(std::move(referrer));
  }
  return referrers;
}

std::string next_page(std::string_view link_header) {
  const std::size_t begin = link_header.find('<');
  const std::size_t end = link_header.find('>');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  if (link_header.find("rel=\"next\"", end) == std::string_view::npos) return {};
  return std::string(link_header.substr(begin + 1, end - begin - 1));
}

}  // namespace curupira::registry
