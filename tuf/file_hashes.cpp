#include "tuf/file_hashes.h"

#include "base/printable.h"

namespace curupira::tuf {

Result<std::vector<Digest>> known_digests(const Hashes& hashes, const std::string& what) {
  std::vector<Digest> digests;
  std::string unknown;
  for (const auto& [name, hex] : hashes) {  // in the order of their names
    const auto algorithm = parse_digest_algorithm(name);
    if (!algorithm || *algorithm == DigestAlgorithm::sha1) {
      unknown += (unknown.empty() ? "" : ", ") + excerpt(name, 40);
      continue;
    }
    const auto digest = Digest::from_hex(*algorithm, hex);
    if (!digest)
      return fail(ErrorCode::tuf_field,
                  what + ": the digest \"" + excerpt(hex, 140) + "\" is none of " + name);
    digests.push_back(*digest);
  }
  if (digests.empty()) return fail(ErrorCode::tuf_hash_unknown, what + " has only digests of: " + unknown);
  return digests;
}

}  // namespace curupira::tuf
