#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/digest.h"
#include "base/result.h"
#include "base/url.h"
#include "registry/package_name.h"

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

/// NAME:package, NAME:package@1.2.3, NAME:@scope/package@^1.2, where NAME is a registry of the settings.
struct RegistryReference {
  std::string registry;  ///< legal; whether the settings have it is not known here
  PackageName package;
  std::string range;  ///< a version or a range; empty: the newest release
};

/// What a user asks for. The origin is part of a package's identity (design.md §2).
using Reference =
    std::variant<NpmReference, PipReference, PathReference, ArchiveReference, RegistryReference>;

/// Every other word before a ':' is taken for the name of a registry. Errors: reference_syntax,
/// reference_scheme, integrity_missing (a URL without a digest).
Result<Reference> parse_reference(std::string_view text);

/// "package" or "package@range", which say of no registry; with `registry` it becomes a reference. Nothing
/// for all that is something else: a path, an archive, a reference.
std::optional<RegistryReference> bare_package(std::string_view text, std::string registry);

/// The reference in its normal form, without credentials.
std::string to_string(const Reference& reference);

/// The same reference; the path that it has, if any, is absolute and normal, from `folder`.
Reference anchored(Reference reference, const std::filesystem::path& folder);

/// The reference without version and digest, as a policy's patterns speak of it: "npm:@acme/x", "pip:x",
/// "path:/srv/x", "archive:https://example.org/x.zip", "corp:@acme/x".
std::string name_in_policy(const Reference& reference);

/// "npm", "pip", "path", "archive", "curupira:NAME" of the registry NAME.
std::string source_name(const Reference& reference);
/// The registry that such a source names: "corp" for "curupira:corp"; nothing for other sources.
std::optional<std::string_view> registry_of_source(std::string_view source);

/// The reference that gives exactly this version again, whatever is new since; of a folder or an archive it
/// is the reference itself.
Reference pinned(Reference reference, const std::string& version);

/// True for names that the npm registry can have: lower case, URL-safe, at most 214 bytes, with or without a
/// scope.
bool is_npm_package_name(std::string_view name);
/// True for names as of PEP 508.
bool is_pip_package_name(std::string_view name);
/// PEP 503: lower case, runs of '-', '_' and '.' are one '-'.
std::string normalize_pip_name(std::string_view name);

}  // namespace curupira::registry
