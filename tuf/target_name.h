#pragma once

#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/result.h"

namespace curupira::tuf {

/// The path of a target, one that is safe to make an address or a file of: relative, with '/' between plain
/// segments, no "..", no ".", no empty segment, no NUL or backslash. What it is not is never asked for.
class TargetName {
 public:
  /// Error: tuf_target_name with the reason.
  static Result<TargetName> parse(std::string_view text);

  const std::string& text() const { return text_; }
  /// "a/<digest>.b" for "a/b": what a repository with consistent snapshots calls the file (TUF 1.0.34 §6.2).
  std::string with_digest(const Digest& digest) const;
  /// The hexadecimal sha256 of the name, which puts it into a bin (§4.5, path_hash_prefixes).
  std::string path_hash() const;

  auto operator<=>(const TargetName&) const = default;

 private:
  explicit TargetName(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace curupira::tuf
