#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/digest.h"
#include "base/result.h"
#include "base/url.h"

namespace curupira::registry {

/// npm:NAME, npm:NAME@1.2.3, npm:@scope/NAME@^1.2, npm:NAME@tag.
struct NpmReference {
  std::string name;   ///< legal for npm, with its scope
  std::string range;  ///< a version, a range or a dist-tag; "latest" when not given
};

/// pip:NAME, pip:NAME==1.2.3, pip:NAME>=1,<2, pip:NAME@1.2.3 (as for npm; means ==).
struct PipReference {
  std::string name;        ///< normalised as PEP 503
  std::string specifiers;  ///< "==1.2.3", ">=1,<2"; empty for any
};

/// path:FOLDER.
struct PathReference {
  std::filesystem::path folder;  ///< as given; relative to the current folder
};

/// A file path that ends like an archive, or an https (or loopback http) URL with #sha256=…
struct ArchiveReference {
  std::variant<std::filesystem::path, Url> location;
  std::optional<Digest> sha256 = {};  ///< required for a URL
};

/// What a user asks for. The origin is part of a package's identity (design.md §2).
using Reference = std::variant<NpmReference, PipReference, PathReference, ArchiveReference>;

/// Errors: reference_syntax, reference_scheme, integrity_missing (a URL without a digest).
Result<Reference> parse_reference(std::string_view text);

/// The reference in its normal form, without credentials.
std::string to_string(const Reference& reference);

/// The same reference; the path that it has, if any, is absolute and normal, from `folder`.
Reference anchored(Reference reference, const std::filesystem::path& folder);

/// The reference without version and digest, as a policy's patterns speak of it: "npm:@acme/x", "pip:x",
/// "path:/srv/x", "archive:https://example.org/x.zip".
std::string name_in_policy(const Reference& reference);

/// "npm", "pip", "path", "archive".
std::string_view source_name(const Reference& reference);

/// True for names that the npm registry can have: lower case, URL-safe, at most 214 bytes, with or without a
/// scope.
bool is_npm_package_name(std::string_view name);
/// True for names as of PEP 508.
bool is_pip_package_name(std::string_view name);
/// PEP 503: lower case, runs of '-', '_' and '.' are one '-'.
std::string normalize_pip_name(std::string_view name);

}  // namespace curupira::registry
