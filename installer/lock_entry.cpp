#include "installer/lock_entry.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/printable.h"
#include "registry/python_specifiers.h"
#include "registry/version_range.h"

namespace curupira::installer {
namespace {

using manifest::VerificationLevel;

Error differs(const LockedExtension& entry, const std::string& field, const std::string& locked,
              const std::string& found) {
  return Error(ErrorCode::lock_mismatch, printable(entry.name) + ": " + field + "\nexpected " +
                                             printable(locked) + "  found " + printable(found));
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const auto& text : texts)
    out += (out.empty() ? "" : ", ") + text;
  return out.empty() ? "none" : out;
}

std::string locations_of(const LockedArtifact& artifact) {
  std::vector<std::string> texts;
  for (const auto& location : artifact.locations)
    texts.push_back(location.text());
  return list_of(texts);
}

std::string label_of(const LockedArtifact& artifact) {
  return artifact.version.empty() ? artifact.package : artifact.package + " " + artifact.version;
}

/// What one platform needs, without the platforms' names.
std::vector<LockedArtifact> artifacts_for(const LockedExtension& extension,
                                          const manifest::Platform& platform) {
  std::vector<LockedArtifact> artifacts;
  for (const auto& artifact : extension.artifacts) {
    if (!artifact.is_for(platform)) continue;
    artifacts.push_back(artifact);
    artifacts.back().platforms.clear();
  }
  normalize(artifacts, {});
  return artifacts;
}

Result<> check_artifact(const LockedExtension& entry, const LockedArtifact& locked,
                        const LockedArtifact& found) {
  const std::string what = printable(label_of(locked)) + ", ";
  if (label_of(locked) != label_of(found))
    return fail(differs(entry, "artifact", label_of(locked), label_of(found)));
  if (locked.file != found.file) return fail(differs(entry, what + "file", locked.file, found.file));
  if (locked.digest != found.digest)
    return fail(differs(entry, what + "digest", locked.digest.sri(), found.digest.sri()));
  if (locked.size && locked.size != found.size)
    return fail(
        differs(entry, what + "size", std::to_string(*locked.size), std::to_string(found.size.value_or(0))));
  if (locked.tree != found.tree)
    return fail(differs(entry, what + "tree", locked.tree.value_or("none"), found.tree.value_or("none")));
  if (locked.locations != found.locations)
    return fail(differs(entry, what + "locations", locations_of(locked), locations_of(found)));
  if (found.level < locked.level)
    return fail(differs(entry, what + "level", std::string(name_of(locked.level)),
                        std::string(name_of(found.level))));
  return {};
}

/// A Python closure is locked for all interpreters; found are the wheels of one.
Result<> check_wheels(const LockedExtension& entry, const std::vector<LockedArtifact>& locked,
                      const std::vector<LockedArtifact>& found) {
  for (const auto& wheel : found) {
    const auto known = std::ranges::find(locked, wheel.file, &LockedArtifact::file);
    if (known == locked.end()) return fail(differs(entry, "file", "none", wheel.file));
    CURUPIRA_CHECK(check_artifact(entry, *known, wheel));
  }
  return {};
}

bool is_local(const LockedExtension& entry) {
  return entry.source == "path" || entry.source == "archive";
}

}  // namespace

void finish_entry(LockedExtension& entry, const registry::Reference& reference,
                  const std::filesystem::path& current, const OpenedLock& lock) {
  entry.reference = registry::to_string(reference_for_lock(reference, current, lock.folder()));
  // A file of this machine is named by its path from the lock file.
  const auto* const archive = std::get_if<registry::ArchiveReference>(&reference);
  if (archive != nullptr && std::holds_alternative<std::filesystem::path>(archive->location)) {
    const auto own = reference_for_lock(reference, current, lock.folder());
    const auto& path = std::get<std::filesystem::path>(std::get<registry::ArchiveReference>(own).location);
    for (auto& artifact : entry.artifacts)
      if (artifact.file == path.filename()) artifact.file = path.string();
  }
  normalize(entry.artifacts, lock.lock.platforms);
  entry.level = entry.artifacts.empty() ? VerificationLevel::digest : VerificationLevel::publisher_signed;
  for (const auto& artifact : entry.artifacts)
    entry.level = std::min(entry.level, artifact.level);
}

void keep_paths(LockedExtension& entry, const LockedExtension& locked, const std::filesystem::path& folder) {
  if (locked.source != "archive") return;
  const auto place = [&](const LockedArtifact& artifact) {
    return (folder / artifact.file).lexically_normal();
  };
  for (auto& artifact : entry.artifacts)
    for (const auto& known : locked.artifacts)
      if (place(known) == place(artifact)) artifact.file = known.file;
}

Result<> check_entry(const LockedExtension& locked, const LockedExtension& found,
                     const manifest::Platform& platform) {
  const std::vector<std::tuple<const char*, std::string, std::string>> fields{
      {"name", locked.name, found.name},
      {"version", locked.version, found.version},
      {"package", locked.package, found.package},
      {"launch", locked.launch, found.launch},
      {"manifest", locked.manifest.sri(), found.manifest.sri()},
      {"permissions", list_of(locked.permissions), list_of(found.permissions)},
      {"tree", locked.tree.value_or("none"), found.tree.value_or("none")}};
  for (const auto& [field, expected, is] : fields)
    if (expected != is) return fail(differs(locked, field, expected, is));
  const auto expected = artifacts_for(locked, platform);
  const auto is = artifacts_for(found, platform);
  if (locked.source == "pip") return check_wheels(locked, expected, is);
  for (std::size_t i = 0; i < std::max(expected.size(), is.size()); ++i) {
    if (i == expected.size()) return fail(differs(locked, "artifact", "none", label_of(is[i])));
    if (i == is.size()) return fail(differs(locked, "artifact", label_of(expected[i]), "none"));
    CURUPIRA_CHECK(check_artifact(locked, expected[i], is[i]));
  }
  return {};
}

Result<> check_same_bytes(const LockedExtension& before, const LockedExtension& now) {
  if (is_local(now) || before.package != now.package) return {};
  // A package of that name in another registry is another package.
  if (registry::registry_of_source(before.source) != registry::registry_of_source(now.source)) return {};
  for (const auto& artifact : now.artifacts) {
    const auto same = [&](const LockedArtifact& other) {
      return other.package == artifact.package && other.version == artifact.version &&
             other.file == artifact.file && other.digest.algorithm() == artifact.digest.algorithm();
    };
    const auto locked = std::ranges::find_if(before.artifacts, same);
    if (locked == before.artifacts.end() || locked->digest == artifact.digest) continue;
    return fail(
        Error(ErrorCode::digest_mismatch, printable(label_of(artifact)) + " (" + printable(artifact.file) +
                                              ") has other bytes than when it was locked\nexpected " +
                                              locked->digest.sri() + "  found " + artifact.digest.sri())
            .with_help("a published version does not change: ask the registry; `curupira plugins "
                       "remove " +
                       before.name + "` forgets what was locked; nothing was installed"));
  }
  return {};
}

Result<> check_reference(const LockedExtension& entry, const registry::Reference& reference) {
  bool fits = true;
  if (const auto* const npm = std::get_if<registry::NpmReference>(&reference)) {
    const auto range = registry::VersionRange::parse(npm->range);
    const auto version = SemVer::parse(entry.version);
    // A tag ("latest") means what the registry said when it was locked.
    fits = !range || (version && range->contains(*version));
  } else if (const auto* const pip = std::get_if<registry::PipReference>(&reference)) {
    fits = registry::fits_python_specifiers(entry.version, pip->specifiers).value_or(false);
  } else if (const auto* const package = std::get_if<registry::RegistryReference>(&reference)) {
    const auto range = registry::VersionRange::parse(package->range);
    const auto version = SemVer::parse(entry.version);
    fits = version && (package->range.empty() || (range && range->contains(*version)));
  }
  if (fits) return {};
  return fail(Error(ErrorCode::lock_mismatch, printable(entry.name) + ": version " +
                                                  printable(entry.version) + " is not within " +
                                                  printable(entry.reference)));
}

}  // namespace curupira::installer
