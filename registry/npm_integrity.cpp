#include "registry/npm_integrity.h"

#include "base/printable.h"

namespace curupira::registry {

Result<Proof> npm_proof(const std::string* integrity, const std::string* shasum, const std::string& package) {
  constexpr std::string_view remedy =
      "the registry has to publish `dist.integrity` with sha512 or sha256 for it";
  if (integrity == nullptr || integrity->empty()) {
    const bool weak = shasum != nullptr && !shasum->empty();
    return fail(Error(weak ? ErrorCode::integrity_weak : ErrorCode::integrity_missing,
                      weak ? package + " has only a sha1 digest" : package + " has no `integrity`")
                    .with_help(std::string(remedy)));
  }
  auto digests = parse_integrity(*integrity);
  if (!digests) {
    return fail(Error(ErrorCode::integrity_missing,
                      "`integrity` of " + package + " cannot be read: " + printable(*integrity))
                    .with_help(std::string(remedy))
                    .caused_by(std::move(digests).error()));
  }
  if (digests->empty() || !digests->front().strong()) {
    return fail(
        Error(ErrorCode::integrity_weak, package + " has only a sha1 digest").with_help(std::string(remedy)));
  }
  return Proof{.any_of = *std::move(digests), .size = std::nullopt};
}

}  // namespace curupira::registry
