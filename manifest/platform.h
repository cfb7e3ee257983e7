#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace curupira::manifest {

/// "<os>-<arch>" in lower case as uname names them, with "-musl" where the C library is musl
/// (spec/protocol.md §4).
class Platform {
 public:
  /// Letters, digits, '_' and '-', at least an os and an architecture. Error: manifest_field.
  static Result<Platform> parse(std::string_view text);
  /// The one this program runs on.
  static Platform current();

  const std::string& text() const { return text_; }
  std::string os() const;    ///< "linux"
  std::string arch() const;  ///< "x86_64"
  bool musl() const;
  /// An operating system and an architecture that this program has heard of: others are typing mistakes where
  /// a user names a platform. Manifests may have any.
  bool is_known() const;

  auto operator<=>(const Platform&) const = default;

 private:
  explicit Platform(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace curupira::manifest
