#include "tuf/verification.h"

#include <set>

#include "base/printable.h"
#include "base/timestamp.h"
#include "tuf/file_hashes.h"
#include "tuf/hex.h"

namespace curupira::tuf {
namespace {

/// Why a key of the role does not count; empty when it does.
struct Judgement {
  std::string problem = {};
  bool wrong = false;    ///< there is a signature, and it does not hold
  std::string key = {};  ///< the key's DER form, whatever its id is
};

Judgement judge(const std::string& key_id, const KeyTable& keys, const Document& document,
                const std::string& signed_bytes) {
  const Signature* const signature = document.signature_of(key_id);
  if (signature == nullptr) return {.problem = "has not signed"};
  const auto key = keys.find(key_id);
  if (key == keys.end()) return {.problem = "is not among the keys"};
  const auto public_key = key->second.public_key();
  if (!public_key) return {.problem = public_key.error().detail()};
  const auto bytes = bytes_of_hex(signature->hex);
  // The place of a key holder who has not signed yet is kept by an empty signature.
  if (signature->hex.empty()) return {.problem = "has not signed"};
  if (!bytes || !public_key->verifies(signed_bytes, *bytes))
    return {.problem = "did not make the signature", .wrong = true};
  const auto der = public_key->der();
  return {.key = hex_of(der)};
}

}  // namespace

Result<> check_signatures(const Document& document, const RoleKeys& role, const KeyTable& keys,
                          const std::string& what) {
  CURUPIRA_TRY(const std::string signed_bytes, bytes_to_sign(document.content));
  std::set<std::string> holding;
  std::string problems;
  bool wrong = false;
  for (const std::string& key_id : role.key_ids) {
    Judgement judgement = judge(key_id, keys, document, signed_bytes);
    if (judgement.problem.empty() && !holding.insert(std::move(judgement.key)).second)
      judgement.problem = "is the same key as another of its ids, and counts once";
    if (!judgement.problem.empty()) problems += "\nkey " + excerpt(key_id, 80) + " " + judgement.problem;
    wrong = wrong || judgement.wrong;
    if (static_cast<std::int64_t>(holding.size()) >= role.threshold) return {};
  }
  return fail(wrong ? ErrorCode::tuf_signature_wrong : ErrorCode::tuf_threshold,
              what + ": " + std::to_string(holding.size()) + " of " + std::to_string(role.threshold) +
                  " needed signatures hold" + problems);
}

Result<> check_announced(std::string_view file, const MetaFile& announced, const std::string& what) {
  if (announced.length && file.size() != *announced.length)
    return fail(ErrorCode::tuf_mix_and_match, what + ": announced are " + format_bytes(*announced.length) +
                                                  ", there are " + format_bytes(file.size()));
  if (!announced.hashes) return {};
  CURUPIRA_TRY(const auto digests, known_digests(*announced.hashes, what));
  for (const Digest& expected : digests) {
    const Digest found = digest_of(expected.algorithm(), file);
    if (found != expected)
      return fail(ErrorCode::tuf_mix_and_match, what + ": announced " +
                                                    std::string(name_of(expected.algorithm())) + " " +
                                                    expected.hex() + "\nfound " + found.hex());
  }
  return {};
}

Result<> check_expiry(const Common& common, std::chrono::sys_seconds time, const std::string& what) {
  if (common.expires > time) return {};
  return fail(ErrorCode::tuf_expired, what + " version " + std::to_string(common.version) + " expired " +
                                          format_timestamp(common.expires) + "; now is " +
                                          format_timestamp(time));
}

}  // namespace curupira::tuf
