#include "installer/mirror_pages.h"

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "registry/limits.h"
#include "registry/npm_mirror.h"

namespace curupira::installer {
namespace {

using registry::MirrorFile;
using registry::RepositoryFolder;

/// The page as it is now; nothing when it is not there, or not the one that is signed.
Result<std::optional<std::string>> signed_page(const RepositoryFolder& folder,
                                               const registry::MirrorIndex& index, const std::string& path) {
  const MirrorFile* const file = index.find(path);
  if (file == nullptr) return std::nullopt;
  auto text = folder.files().read_file(folder.path() / path, registry::Limits::max_packument_bytes);
  if (!text && text.error().code() == ErrorCode::file_not_found) return std::nullopt;
  if (!text) return fail(std::move(text).error());
  if (digest_of(DigestAlgorithm::sha256, *text) != file->sha256) return std::nullopt;
  return std::optional(*std::move(text));
}

std::string file_name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

Result<> MirrorPages::add_wheel(RepositoryFolder& folder, registry::MirrorIndex& index,
                                const MirrorFile& file, const std::filesystem::path& wheel) {
  CURUPIRA_TRY(WheelStatement statement, read_wheel_statement(wheel, file.package, file.version, {}));
  MirrorFile metadata{.kind = MirrorFile::Kind::metadata,
                      .path = file.path + ".metadata",
                      .package = file.package,
                      .version = file.version,
                      .sha256 = digest_of(DigestAlgorithm::sha256, statement.metadata),
                      .size = statement.metadata.size()};
  CURUPIRA_CHECK(folder.put_beside(
      {.path = metadata.path, .sha256 = metadata.sha256, .bytes = std::move(statement.metadata)}));
  wheels_.insert_or_assign(
      file.path, Wheel{.requires_python = std::move(statement.requires_python), .metadata = metadata.sha256});
  std::string path = metadata.path;
  index.files.insert_or_assign(std::move(path), std::move(metadata));
  return {};
}

Result<std::vector<registry::MirrorPage>> MirrorPages::write(RepositoryFolder& folder, MirrorPlan& plan) {
  CURUPIRA_CHECK(write_npm(folder, plan));
  CURUPIRA_CHECK(write_keys(folder, plan));
  CURUPIRA_CHECK(write_python(folder, plan));
  return std::move(pages_);
}

Result<> MirrorPages::write_npm(const RepositoryFolder& folder, const MirrorPlan& plan) {
  for (const std::string& package : plan.npm_pages) {
    CURUPIRA_TRY(std::string path, registry::npm_page_path(package));
    CURUPIRA_TRY(const auto text, signed_page(folder, plan.before, path));
    json::Value before;
    if (text) {
      CURUPIRA_TRY(before, json::parse(*text));
    }
    const auto upstream = plan.packuments.find(package);
    registry::MirroredPackage mirrored{
        .name = package,
        .base = plan.index.url,
        .before = text ? &before : nullptr,
        .upstream = upstream == plan.packuments.end() ? nullptr : &upstream->second};
    for (const auto& [each, file] : plan.index.files)
      if (file.kind == MirrorFile::Kind::tarball && file.package == package)
        mirrored.tarballs.emplace(file.version, &file);
    CURUPIRA_TRY(std::string bytes, registry::mirrored_packument(mirrored));
    pages_.push_back({.path = std::move(path), .package = package, .bytes = std::move(bytes)});
  }
  return {};
}

/// The keys that made the signatures of what comes.
Result<> MirrorPages::write_keys(const RepositoryFolder& folder, const MirrorPlan& plan) {
  std::vector<registry::NpmKey> keys;
  for (const MirrorAddition& addition : plan.additions)
    for (const auto& each : addition.artifact.proof.signatures)
      if (std::ranges::find(keys, each.key_id, &registry::NpmKey::id) == keys.end())
        keys.push_back({.id = each.key_id, .scheme = each.scheme, .key = each.key, .expires = each.expires});
  if (keys.empty()) return {};
  const std::string path(registry::npm_keys_page);
  CURUPIRA_TRY(const auto before, signed_page(folder, plan.before, path));
  CURUPIRA_TRY(std::string bytes, registry::mirrored_npm_keys(before, keys));
  if (before && *before == bytes) return {};
  pages_.push_back({.path = path, .package = {}, .bytes = std::move(bytes)});
  return {};
}

Result<std::vector<registry::MirroredWheel>> MirrorPages::wheels_of(RepositoryFolder& folder,
                                                                    MirrorPlan& plan,
                                                                    const std::string& package) {
  CURUPIRA_TRY(const std::string home, registry::python_folder(package));
  CURUPIRA_TRY(const auto text, signed_page(folder, plan.before, home + "index.json"));
  std::vector<registry::MirroredWheel> known;
  if (text) {
    CURUPIRA_TRY(known, registry::read_mirrored_wheels(*text));
  }
  std::vector<MirrorFile> files;
  for (const auto& [path, file] : plan.index.files)
    if (file.kind == MirrorFile::Kind::wheel && file.package == package) files.push_back(file);
  std::vector<registry::MirroredWheel> wheels;
  for (const MirrorFile& file : files) {
    registry::MirroredWheel wheel{
        .file_name = file_name_of(file.path), .sha256 = file.sha256, .size = file.size};
    const auto before = std::ranges::find(known, wheel.file_name, &registry::MirroredWheel::file_name);
    if (before != known.end() && before->sha256 == file.sha256) {
      wheel = *before;
    } else {
      if (!wheels_.contains(file.path))
        CURUPIRA_CHECK(add_wheel(folder, plan.index, file, folder.path() / file.path));
      wheel.requires_python = wheels_.at(file.path).requires_python;
      wheel.metadata = wheels_.at(file.path).metadata;
    }
    const auto said = plan.withdrawn.find(wheel.file_name);
    if (said != plan.withdrawn.end()) wheel.yanked = said->second;
    wheels.push_back(std::move(wheel));
  }
  return wheels;
}

Result<> MirrorPages::write_python(RepositoryFolder& folder, MirrorPlan& plan) {
  for (const std::string& package : plan.python_pages) {
    CURUPIRA_TRY(const std::string home, registry::python_folder(package));
    CURUPIRA_TRY(const auto wheels, wheels_of(folder, plan, package));
    pages_.push_back({.path = home + "index.html",
                      .package = package,
                      .bytes = registry::write_simple_html(package, wheels)});
    pages_.push_back({.path = home + "index.json",
                      .package = package,
                      .bytes = registry::write_simple_json(package, wheels)});
  }
  if (!plan.python_pages.empty()) CURUPIRA_CHECK(write_projects(plan));
  return {};
}

Result<> MirrorPages::write_projects(const MirrorPlan& plan) {
  std::set<std::string> names;
  for (const auto& [path, file] : plan.index.files)
    if (file.kind == MirrorFile::Kind::wheel) names.insert(file.package);
  const std::vector<std::string> packages(names.begin(), names.end());
  pages_.push_back(
      {.path = "simple/index.html", .package = {}, .bytes = registry::write_projects_html(packages)});
  pages_.push_back(
      {.path = "simple/index.json", .package = {}, .bytes = registry::write_projects_json(packages)});
  return {};
}

}  // namespace curupira::installer
