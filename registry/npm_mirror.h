#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "registry/mirror_index.h"
#include "registry/npm_keys.h"

namespace curupira::registry {

/// The npm half of a mirror: files that a static server gives to npm, npx, pnpm, bun and this program.
///
///   npm/NAME/index.html             the packument: JSON under a name that every server gives for the folder
///   npm/NAME/-/NAME-VERSION.tgz     where lock files of all npm clients expect tarballs
///   npm/-/npm/v1/keys               keys of the registries whose signatures the packuments carry

inline constexpr std::string_view npm_keys_page = "npm/-/npm/v1/keys";

/// Error: resolution_unsafe for a name that cannot be the path of a file.
Result<std::string> npm_page_path(std::string_view package);
/// Errors: the same, also for the version.
Result<std::string> npm_tarball_path(std::string_view package, std::string_view version);

/// What a packument of a mirror is made of.
struct MirroredPackage {
  std::string name;
  std::string base;  ///< the mirror's address, ending with '/'
  std::map<std::string, const MirrorFile*, std::less<>> tarballs = {};  ///< by version: all that it has
  const json::Value* before = nullptr;    ///< the packument that the mirror has now, if any
  const json::Value* upstream = nullptr;  ///< what the package's registry says now, if it was asked
};

/// What the registry says of the mirrored versions, with their signatures and times; addresses of tarballs
/// are the mirror's, tags mean mirrored versions only. No '<' is in the text: it is harmless as HTML, too.
/// Errors: digest_mismatch when the registry gives another digest for a version than the mirror has;
/// registry_unreadable when nobody describes a version.
Result<std::string> mirrored_packument(const MirroredPackage& package);

/// The document of keys: those of `before` (its text) and `keys`, each once. Error: registry_unreadable when
/// two keys have one id.
Result<std::string> mirrored_npm_keys(const std::optional<std::string>& before, std::span<const NpmKey> keys);

/// The JSON text; no browser takes anything in it for HTML.
std::string html_safe_json(const json::Value& value);

}  // namespace curupira::registry
