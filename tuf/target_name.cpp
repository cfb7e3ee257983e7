#include "tuf/target_name.h"

#include "base/printable.h"
#include "base/relative_path.h"

namespace curupira::tuf {

Result<TargetName> TargetName::parse(std::string_view text) {
  const auto path = RelativePath::parse(text);
  if (!path) return fail(ErrorCode::tuf_target_name, path.error().detail());
  // The path accepts "./a" and "a/" for "a": two names for one file.
  if (path->text() != text)
    return fail(ErrorCode::tuf_target_name,
                "\"" + excerpt(text) + "\" would be \"" + excerpt(path->text()) + "\"");
  return TargetName(path->text());
}

std::string TargetName::with_digest(const Digest& digest) const {
  const std::size_t name = text_.rfind('/') + 1;  // npos + 1 is 0: no folder
  return text_.substr(0, name) + digest.hex() + "." + text_.substr(name);
}

std::string TargetName::path_hash() const {
  return digest_of(DigestAlgorithm::sha256, text_).hex();
}

}  // namespace curupira::tuf
