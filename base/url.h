#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/secret.h"

namespace curupira {

/// An absolute http, https or file URL. Its user information is kept apart as a secret, so that no printing
/// shows it.
class Url {
 public:
  /// The path is normalised: "." and ".." (also as %2e) are resolved, so that a prefix of it can be compared.
  /// Error: url_invalid for a relative URL, another scheme, a space, control character, backslash or
  /// non-ASCII character, a % without two digits, a bad host or port. The error never shows user information.
  static Result<Url> parse(std::string_view text);

  const std::string& scheme() const { return scheme_; }  ///< lower case
  const std::string& host() const { return host_; }      ///< lower case; an IPv6 address without brackets
  std::uint16_t port() const { return port_; }           ///< explicit or the scheme's default; 0 for file
  const std::string& path() const { return path_; }      ///< still escaped; starts with '/'
  const std::string& query() const { return query_; }    ///< still escaped, without '?'
  const std::string& fragment() const { return fragment_; }
  const Secret& user_info() const {
    return user_info_;
  }  ///< "user:password", unescaped; empty when there is none

  /// "https://host:port", the port only when it is not the default: what credentials are bound to.
  std::string origin() const;
  bool same_origin(const Url& other) const { return origin() == other.origin(); }
  /// The URL without user information and fragment: safe to print and to send.
  std::string to_string() const;
  /// The last segment of the path, unescaped; empty when the path ends with '/'.
  std::string file_name() const;

  Url without_fragment() const;
  /// Resolves `reference` (absolute, "//host/…", "/path", "path", "?query") against this URL, RFC 3986 §5.
  Result<Url> resolve(std::string_view reference) const;

 private:
  Url() = default;
  std::string scheme_, host_, path_, query_, fragment_;
  Secret user_info_;
  std::uint16_t port_ = 0;
};

/// Escapes all but unreserved characters: for one path segment or query value.
std::string percent_encode(std::string_view text);
/// Undoes %XX. Error: url_invalid.
Result<std::string> percent_decode(std::string_view text);

}  // namespace curupira
