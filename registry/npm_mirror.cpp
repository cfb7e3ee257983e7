#include "registry/npm_mirror.h"

#include <algorithm>
#include <array>

#include "base/digest.h"
#include "base/printable.h"
#include "base/semver.h"
#include "registry/npm_registry.h"

namespace curupira::registry {
namespace {

constexpr std::size_t max_part_bytes = 214;

/// Of names and versions: one segment of a path and of an address, as it is written.
bool is_plain(std::string_view text) {
  return !text.empty() && text.size() <= max_part_bytes && text.front() != '.' &&
         std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                  c == '_' || c == '.' || c == '~' || c == '+';
         });
}

Result<> check_name(std::string_view package) {
  const std::size_t slash = package.find('/');
  const bool legal = package.starts_with('@')
                         ? slash != std::string_view::npos && is_plain(package.substr(1, slash - 1)) &&
                               is_plain(package.substr(slash + 1))
                         : is_plain(package);
  if (legal && package != "node_modules") return {};
  return fail(ErrorCode::resolution_unsafe,
              "the name \"" + excerpt(package, 100) + "\" cannot be that of a mirrored package");
}

const json::Value* member(const json::Value* value, std::string_view name) {
  return value == nullptr ? nullptr : value->find(name);
}

bool has_install_script(const json::Value& release) {
  static constexpr std::array<std::string_view, 3> names = {"preinstall", "install", "postinstall"};
  const json::Value* const scripts = release.find("scripts");
  return std::ranges::any_of(names, [&](std::string_view name) { return member(scripts, name) != nullptr; });
}

/// Whether the digest that vouched for the tarball is one that the release names.
bool names_digest(const json::Value& release, const MirrorFile& tarball) {
  const json::Value* const dist = release.find("dist");
  const std::string* const integrity = dist ? dist->find_string("integrity") : nullptr;
  if (integrity == nullptr) return false;
  const auto named = parse_integrity(*integrity);
  const auto mirrored = Digest::from_sri(tarball.integrity);
  return named && mirrored && std::ranges::find(*named, *mirrored) != named->end();
}

class PackumentWriter {
 public:
  explicit PackumentWriter(const MirroredPackage& package) : package_(package) {}

  Result<std::string> write() {
    json::Object versions;
    for (const SemVer& version : sorted()) {
      const auto tarball = package_.tarballs.find(version.to_string());
      CURUPIRA_TRY(json::Object release, release_of(tarball->first, *tarball->second));
      versions.append(tarball->first, std::move(release));
    }
    json::Object document;
    document.append("name", package_.name);
    if (const std::string* const text = text_of("description")) document.append("description", *text);
    document.append("dist-tags", tags());
    document.append("versions", std::move(versions));
    json::Object times = time();
    if (const json::Value* const modified = times.find("modified")) document.append("modified", *modified);
    document.append("time", std::move(times));
    return html_safe_json(document);
  }

 private:
  /// Ascending. What cannot be compared is not among the tarballs.
  std::vector<SemVer> sorted() const {
    std::vector<SemVer> versions;
    for (const auto& [text, tarball] : package_.tarballs)
      if (auto version = SemVer::parse(text)) versions.push_back(*std::move(version));
    std::ranges::sort(versions, [](const SemVer& a, const SemVer& b) { return a < b; });
    return versions;
  }

  const std::string* text_of(std::string_view name) const {
    for (const json::Value* const document : {package_.upstream, package_.before}) {
      const json::Value* const value = member(document, name);
      if (value != nullptr && value->as_string() != nullptr) return value->as_string();
    }
    return nullptr;
  }

  Result<json::Object> release_of(const std::string& version, const MirrorFile& tarball) const {
    const std::string label = printable(package_.name) + "@" + printable(version);
    const json::Value* release = member(member(package_.upstream, "versions"), version);
    if (release != nullptr && !names_digest(*release, tarball))
      return fail(Error(ErrorCode::digest_mismatch, "npm:" + label + " is mirrored with " +
                                                        tarball.integrity +
                                                        ", which its registry does not name any more")
                      .with_help("a published version never changes: ask the registry's keepers; the mirror "
                                 "stays as it is"));
    // A version that its author removed stays what it was.
    if (release == nullptr) release = member(member(package_.before, "versions"), version);
    const json::Object* const members = release ? release->as_object() : nullptr;
    const json::Value* const dist = release ? release->find("dist") : nullptr;
    if (members == nullptr || dist == nullptr || dist->as_object() == nullptr)
      return fail(ErrorCode::registry_unreadable, "nothing describes npm:" + label);
    const auto agrees = [&](std::string_view name, const std::string& expected) {
      const std::string* const said = release->find_string(name);
      return said == nullptr || *said == expected;
    };
    if (!agrees("name", package_.name) || !agrees("version", version))
      return fail(ErrorCode::registry_unreadable,
                  "what its registry has as " + label + " says that it is " + "another package");
    json::Object copy;
    for (const auto& [name, value] : *members) {
      if (name == "dist")
        copy.append(name, dist_of(value, tarball));
      else if (name != "readme" && name != "readmeFilename" && name != "hasInstallScript")
        copy.append(name, value);
    }
    const json::Value* const said = release->find("hasInstallScript");
    if ((said != nullptr && *said == json::Value(true)) || has_install_script(*release))
      copy.append("hasInstallScript", true);
    return copy;
  }

  json::Object dist_of(const json::Value& dist, const MirrorFile& tarball) const {
    json::Object copy;
    for (const auto& [name, value] : *dist.as_object())
      // Attestations are an address of the registry that a mirror does not have.
      if (name != "tarball" && name != "attestations") copy.append(name, value);
    copy.append("tarball", package_.base + tarball.path);
    return copy;
  }

  /// "latest" is always there: npm wants it.
  json::Object tags() const {
    json::Object kept;
    for (const json::Value* const document : {package_.upstream, package_.before}) {
      const json::Value* const tags = member(document, "dist-tags");
      if (tags == nullptr || tags->as_object() == nullptr) continue;
      for (const auto& [tag, value] : *tags->as_object()) {
        const std::string* const version = value.as_string();
        if (version != nullptr && package_.tarballs.contains(*version) && !kept.contains(tag))
          kept.append(tag, *version);
      }
      if (package_.upstream != nullptr) break;  // what it says now counts alone
    }
    if (!kept.contains("latest")) {
      const auto versions = sorted();
      auto best = std::find_if(versions.rbegin(), versions.rend(),
                               [](const SemVer& version) { return version.prerelease().empty(); });
      if (best == versions.rend()) best = versions.rbegin();
      if (best != versions.rend()) kept.append("latest", best->to_string());
    }
    return kept;
  }

  json::Object time() const {
    json::Object kept;
    const auto keep = [&](const std::string& name) {
      for (const json::Value* const document : {package_.upstream, package_.before}) {
        const json::Value* const value = member(member(document, "time"), name);
        if (value == nullptr || value->as_string() == nullptr) continue;
        kept.append(name, *value);
        return;
      }
    };
    keep("created");
    keep("modified");
    for (const SemVer& version : sorted())
      keep(version.to_string());
    return kept;
  }

  const MirroredPackage& package_;
};

json::Object to_json(const NpmKey& key) {
  json::Object object;
  object.append("expires", key.expires ? json::Value(*key.expires) : json::Value());
  object.append("keyid", key.id);
  object.append("keytype", key.scheme);
  object.append("scheme", key.scheme);
  object.append("key", key.key);
  return object;
}

}  // namespace

Result<std::string> npm_page_path(std::string_view package) {
  CURUPIRA_CHECK(check_name(package));
  return "npm/" + std::string(package) + "/index.html";
}

Result<std::string> npm_tarball_path(std::string_view package, std::string_view version) {
  CURUPIRA_CHECK(check_name(package));
  const auto parsed = SemVer::parse(version);
  if (!parsed || parsed->to_string() != version || !is_plain(version))
    return fail(ErrorCode::resolution_unsafe, "\"" + excerpt(version, 100) + "\" is no version of " +
                                                  printable(package) + " that can be mirrored");
  return "npm/" + std::string(package) + "/-/" + npm_tarball_name(package, version);
}

Result<std::string> mirrored_packument(const MirroredPackage& package) {
  return PackumentWriter(package).write();
}

Result<std::string> mirrored_npm_keys(const std::optional<std::string>& before,
                                      std::span<const NpmKey> keys) {
  std::map<std::string, NpmKey> all;
  const auto add = [&](const NpmKey& key) -> Result<> {
    const auto [place, is_new] = all.emplace(key.id, key);
    if (!is_new && place->second.key != key.key)
      return fail(ErrorCode::registry_unreadable,
                  "two registries publish different keys as " + excerpt(key.id, 100));
    place->second = key;
    return {};
  };
  if (before) {
    CURUPIRA_TRY(const auto known, parse_npm_keys(*before));
    for (const NpmKey& key : known)
      CURUPIRA_CHECK(add(key));
  }
  for (const NpmKey& key : keys)
    CURUPIRA_CHECK(add(key));
  json::Array list;
  for (const auto& [id, key] : all)
    list.emplace_back(to_json(key));
  json::Object document;
  document.append("keys", std::move(list));
  return html_safe_json(document);
}

std::string html_safe_json(const json::Value& value) {
  std::string text;
  for (const char c : json::write(value)) {
    // Outside strings JSON has none of these.
    if (c == '<')
      text += "\\u003c";
    else if (c == '>')
      text += "\\u003e";
    else if (c == '&')
      text += "\\u0026";
    else
      text += c;
  }
  text += '\n';
  return text;
}

}  // namespace curupira::registry
