#include "runtime/identity.h"

#include "base/digest.h"
#include "base/json.h"
#include "runtime/poll_result.h"

namespace curupira::runtime {

std::string identity_hash(const Item& item) {
  return digest_of(DigestAlgorithm::sha256, json::write(to_json(item))).hex();
}

std::string task_key(std::string_view automation, std::string_view forge_identity,
                     std::string_view trigger_type, const Item& item) {
  std::string key;
  for (const auto part : {automation, forge_identity, trigger_type}) {
    key += part;
    key += ':';
  }
  return key + identity_hash(item);
}

}  // namespace curupira::runtime
