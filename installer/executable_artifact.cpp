#include "installer/executable_artifact.h"

#include <algorithm>
#include <span>

#include "base/printable.h"
#include "installer/package_trees.h"
#include "installer/policy.h"
#include "registry/registry_release.h"

namespace curupira::installer {
namespace {

using Platforms = std::map<manifest::Platform, manifest::PlatformArtifact>;

Result<const manifest::PlatformArtifact*> find_platform(const Platforms& platforms,
                                                        const manifest::Platform& platform) {
  const auto found = platforms.find(platform);
  if (found != platforms.end()) return &found->second;
  std::string list;
  for (const auto& [known, artifact] : platforms)
    list += (list.empty() ? "" : ", ") + printable(known.text());
  return fail(ErrorCode::platform_missing,
              "this is " + platform.text() + ", it has " + (list.empty() ? "none" : list));
}

Result<registry::Artifact> artifact_of(const manifest::Manifest& manifest,
                                       const manifest::PlatformArtifact& entry,
                                       const std::filesystem::path& folder) {
  registry::Artifact artifact{.package = {},
                              .version = manifest.version,
                              .file_name = {},
                              .location = std::filesystem::path(),
                              .proof = {.any_of = {entry.sha256}, .size = entry.size}};
  if (entry.location.find("://") != std::string::npos) {
    CURUPIRA_TRY(Url url, Url::parse(entry.location));
    if (url.scheme() != "http" && url.scheme() != "https")
      return fail(ErrorCode::url_invalid,
                  printable(entry.location) + ": http and https URLs and relative paths are read");
    artifact.file_name = url.file_name();
    artifact.location = std::move(url);
  } else {
    auto path = RelativePath::parse(entry.location);
    if (!path)
      return fail(Error(ErrorCode::manifest_field,
                        "url \"" + printable(entry.location) +
                            "\", expected an http(s) URL or a path inside the manifest's folder")
                      .caused_by(std::move(path).error()));
    // A link may stand there, but only one that stays in the folder, which is a tree of the store.
    std::error_code problem;
    const auto root = std::filesystem::canonical(folder, problem);
    const auto real = std::filesystem::canonical(path->below(folder), problem);
    if (problem)
      return fail(ErrorCode::file_not_found, printable(entry.location) + " in the manifest's folder");
    if (!real.string().starts_with(root.string() + "/"))
      return fail(ErrorCode::manifest_field,
                  "url \"" + printable(entry.location) + "\" leaves the manifest's folder");
    artifact.file_name = std::string(path->file_name());
    artifact.location = real;
  }
  if (artifact.file_name.empty()) artifact.file_name = manifest.name;
  artifact.package = artifact.file_name;
  return artifact;
}

/// The file that stands in the launch table, as the release has it.
Result<registry::Artifact> artifact_of(const registry::Resolution& release,
                                       const manifest::PlatformArtifact& entry,
                                       const manifest::Platform& platform) {
  const auto is_it = [&](const registry::Artifact& each) {
    return std::ranges::find(each.proof.any_of, entry.sha256) != each.proof.any_of.end();
  };
  const auto found = std::ranges::find_if(release.artifacts, is_it);
  const std::string label =
      printable(registry::to_string(release.reference)) + " " + printable(release.version);
  if (found == release.artifacts.end())
    return fail(ErrorCode::release_differs, label + ": its manifest names a file for " + platform.text() +
                                                " with the digest " + entry.sha256.sri() +
                                                ", which the release does not have");
  if (entry.size && found->proof.size && *entry.size != *found->proof.size)
    return fail(ErrorCode::release_differs, label + ": " + printable(found->file_name) + " has " +
                                                std::to_string(*found->proof.size) +
                                                " bytes, its manifest says " + std::to_string(*entry.size));
  return *found;
}

/// The name of a binary in its tree: its file's, when that is one that a file can have.
Result<RelativePath> program_name(const registry::Artifact& artifact, const manifest::Manifest& manifest) {
  auto name = RelativePath::parse(artifact.file_name);
  if (name && name->segments().size() == 1) return std::move(*name);
  return RelativePath::parse(manifest.name);
}

/// What one platform gets, fetched and unpacked.
Result<ExecutableArtifact> fetch_for(const Preparation& preparation, const manifest::Manifest& manifest,
                                     const std::filesystem::path& folder, const registry::Resolution* release,
                                     const manifest::Platform& platform) {
  const auto* const archive = std::get_if<manifest::ArchiveLaunch>(&manifest.launch);
  const auto* const binary = std::get_if<manifest::BinaryLaunch>(&manifest.launch);
  if (archive == nullptr && binary == nullptr)
    return fail(ErrorCode::internal, "no platforms in the launch table");
  CURUPIRA_TRY(const auto* const entry,
               find_platform(archive != nullptr ? archive->platforms : binary->platforms, platform));
  const bool in_release = release != nullptr && entry->location.find("://") != std::string::npos;
  CURUPIRA_TRY(registry::Artifact artifact,
               in_release ? artifact_of(*release, *entry, platform) : artifact_of(manifest, *entry, folder));
  if (release != nullptr && !in_release) {
    // Who vouches for the manifest vouches for what it names in its own archive.
    artifact.package = registry::inner_package(release->package, artifact.file_name);
    artifact.version = release->version;
    artifact.proof.vouched = release->artifacts.front().proof.vouched;
  }
  if (const auto* const url = std::get_if<Url>(&artifact.location); url && preparation.options.policy) {
    const registry::Reference program = registry::ArchiveReference{*url, entry->sha256};
    CURUPIRA_CHECK(check_references(*preparation.options.policy, std::span(&program, 1),
                                    preparation.tools.current_folder));
  }
  CURUPIRA_TRY(const auto verified, fetch_verified(preparation, std::span(&artifact, 1)));
  std::optional<RelativePath> program = entry->program;
  std::string tree;
  if (archive != nullptr) {
    if (!program) return fail(ErrorCode::internal, "an archive launch without program");
    CURUPIRA_TRY(tree, tree_of_archive(preparation.run, verified.front(), entry->strip_components, program));
  } else {
    CURUPIRA_TRY(program, program_name(artifact, manifest));
    CURUPIRA_TRY(tree, tree_of_program(preparation.run, verified.front(), *program));
  }
  LockedArtifact locked = locked_artifact(verified.front(), platform);
  locked.tree = tree;
  manifest::ReceiptArtifact receipt = verified.front().receipt();
  if (const auto* const url = std::get_if<Url>(&artifact.location))
    locked.file = url->to_string();
  else if (in_release)
    receipt.location = artifact.file_name;  // also when the store had it
  else
    locked.file = entry->location;
  if (release != nullptr && !in_release) receipt.location = entry->location;
  return ExecutableArtifact{
      .content = {.content = {.kind = manifest::ReceiptContent::Kind::tree, .digest = tree},
                  .folder = preparation.run.store.tree(tree),
                  .trees = {tree}},
      .program = std::move(*program),
      .artifact = std::move(receipt),
      .locked = {std::move(locked)}};
}

/// The first is the one that is installed.
std::vector<manifest::Platform> wanted_platforms(const Preparation& preparation,
                                                 const manifest::Manifest& manifest) {
  std::vector<manifest::Platform> wanted{preparation.tools.platform};
  if (!preparation.all_platforms) {
    wanted.insert(wanted.end(), preparation.other_platforms.begin(), preparation.other_platforms.end());
    return wanted;
  }
  const auto* const archive = std::get_if<manifest::ArchiveLaunch>(&manifest.launch);
  const auto* const binary = std::get_if<manifest::BinaryLaunch>(&manifest.launch);
  if (archive == nullptr && binary == nullptr) return wanted;
  const Platforms& all = archive != nullptr ? archive->platforms : binary->platforms;
  if (!all.contains(wanted.front()) && !all.empty()) wanted.clear();
  for (const auto& [platform, artifact] : all)
    if (wanted.empty() || platform != wanted.front()) wanted.push_back(platform);
  return wanted;
}

}  // namespace

Result<ExecutableArtifact> fetch_executable(const Preparation& preparation,
                                            const manifest::Manifest& manifest,
                                            const std::filesystem::path& folder,
                                            const registry::Resolution* release) {
  const auto platforms = wanted_platforms(preparation, manifest);
  CURUPIRA_TRY(ExecutableArtifact own, fetch_for(preparation, manifest, folder, release, platforms.front()));
  for (const auto& platform : std::span(platforms).subspan(1)) {
    auto other = fetch_for(preparation, manifest, folder, release, platform);
    if (!other && other.error().code() == ErrorCode::platform_missing) {
      preparation.diagnostics.warn(printable(manifest.name) + " has nothing for " + platform.text());
      continue;
    }
    if (!other) return other;
    own.locked.push_back(std::move(other->locked.front()));
  }
  return own;
}

std::string executable_manifest(const FileSystem& files, manifest::Manifest manifest,
                                const manifest::ReceiptCommand& command,
                                const std::filesystem::path& content) {
  manifest::ExecutableLaunch launch;
  launch.program = command.entry ? command.entry->below(content).string() : command.path_program.value_or("");
  for (const std::string& argument : command.args) {
    const auto path = RelativePath::parse(argument);
    const auto status = path ? files.status(path->below(content)) : std::optional<FileStatus>();
    const bool names_file = path && status && *status && (*status)->type == FileType::regular;
    launch.args.push_back(names_file ? path->below(content).string() : argument);
  }
  manifest.launch = std::move(launch);
  return manifest::write_manifest(manifest);
}

}  // namespace curupira::installer
