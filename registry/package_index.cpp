#include "registry/package_index.h"

#include <algorithm>

#include "base/json.h"
#include "base/printable.h"
#include "base/relative_path.h"
#include "base/semver.h"
#include "base/timestamp.h"
#include "manifest/manifest.h"
#include "registry/archive_name.h"
#include "tuf/fields.h"

namespace curupira::registry {
namespace {

constexpr int max_depth = 8;
constexpr std::size_t max_versions = 10'000;
constexpr std::size_t max_artifacts = 100;

tl::unexpected<Error> invalid(std::string why) {
  return fail(ErrorCode::package_index_invalid, std::move(why));
}

Result<> check_nothing_else(const tuf::Fields& fields) {
  const json::Object rest = fields.rest();
  if (rest.empty()) return {};
  return invalid(fields.place(excerpt(rest.begin()->first, 60)) + " is not known");
}

Result<std::vector<manifest::Platform>> read_platforms(tuf::Fields& fields) {
  std::vector<manifest::Platform> platforms;
  CURUPIRA_TRY(const auto texts, fields.texts("platforms"));
  for (const std::string& text : texts) {
    auto platform = manifest::Platform::parse(text);
    if (!platform) return invalid(fields.place("platforms") + ": " + platform.error().detail());
    platforms.push_back(*std::move(platform));
  }
  if (platforms.empty() || std::ranges::adjacent_find(platforms, std::greater_equal<>()) != platforms.end())
    return invalid(fields.place("platforms") + " has to name each platform once, sorted");
  return platforms;
}

Result<IndexArtifact> read_artifact(const json::Value& value, const std::string& where) {
  CURUPIRA_TRY(auto fields, tuf::Fields::of(value, where));
  CURUPIRA_TRY(std::string file, fields.text("file"));
  const auto path = RelativePath::parse(file);
  if (!path || path->text() != file || path->segments().size() != 1)
    return invalid(fields.place("file") + " \"" + excerpt(file, 80) + "\" is not the name of a file");
  CURUPIRA_TRY(const std::string hex, fields.text("sha256"));
  auto digest = Digest::from_hex(DigestAlgorithm::sha256, hex);
  if (!digest || digest->hex() != hex)
    return invalid(fields.place("sha256") + " is not a sha256 in lower case");
  CURUPIRA_TRY(const std::int64_t size, fields.number("size", 0));
  IndexArtifact artifact{
      .file = std::move(file), .sha256 = *digest, .size = static_cast<std::uint64_t>(size)};
  if (fields.members().contains("platforms")) {
    CURUPIRA_TRY(artifact.platforms, read_platforms(fields));
  }
  CURUPIRA_CHECK(check_nothing_else(fields));
  return artifact;
}

Result<std::vector<IndexArtifact>> read_artifacts(tuf::Fields& fields, const std::string& where) {
  CURUPIRA_TRY(const json::Array* const listed, fields.array("artifacts"));
  std::vector<IndexArtifact> artifacts;
  for (const json::Value& each : *listed) {
    if (artifacts.size() == max_artifacts)
      return invalid(where + " has more than " + std::to_string(max_artifacts) + " artifacts");
    const std::string place = where + ".artifacts[" + std::to_string(artifacts.size()) + "]";
    CURUPIRA_TRY(IndexArtifact artifact, read_artifact(each, place));
    const bool first = artifacts.empty();
    if (first != artifact.platforms.empty())
      return invalid(place + (first ? " is the extension itself: it is for all platforms"
                                    : " has to name its platforms"));
    if (first && !has_archive_name(artifact.file))
      return invalid(place + ".file is not the name of an archive");
    const auto same = [&](const IndexArtifact& other) { return other.path() == artifact.path(); };
    if (std::ranges::any_of(artifacts, same)) return invalid(place + " is there twice");
    artifacts.push_back(std::move(artifact));
  }
  if (artifacts.empty()) return invalid(where + " has no artifact");
  return artifacts;
}

Result<PackageVersion> read_version(const json::Value& value, const std::string& where) {
  CURUPIRA_TRY(auto fields, tuf::Fields::of(value, where));
  PackageVersion version;
  CURUPIRA_TRY(version.manifest, fields.text("manifest"));
  if (version.manifest.size() > manifest::max_manifest_bytes)
    return invalid(where + ".manifest is larger than " + format_bytes(manifest::max_manifest_bytes));
  CURUPIRA_TRY(version.published, fields.time("published"));
  CURUPIRA_TRY(version.artifacts, read_artifacts(fields, where));
  if (fields.members().contains("yanked")) {
    CURUPIRA_TRY(auto yanked, fields.object("yanked"));
    CURUPIRA_TRY(version.yanked, yanked.text("reason"));
    if (version.yanked->size() > max_yank_reason_bytes)
      return invalid(where + ".yanked.reason is longer than " + std::to_string(max_yank_reason_bytes) +
                     " bytes");
    CURUPIRA_CHECK(check_nothing_else(yanked));
  }
  CURUPIRA_CHECK(check_nothing_else(fields));
  return version;
}

Result<PackageIndex> read_index(std::string_view text, const PackageName& name) {
  CURUPIRA_TRY(const json::Value value, json::parse(text, {.max_bytes = max_package_index_bytes,
                                                           .max_depth = max_depth,
                                                           .whole_numbers_only = true}));
  CURUPIRA_TRY(auto fields, tuf::Fields::of(value, "the index of " + name.text()));
  CURUPIRA_TRY(const std::int64_t format, fields.number("format", 1));
  if (format != PackageIndex::format)
    return invalid("the index has format " + std::to_string(format) + ", this program reads " +
                   std::to_string(PackageIndex::format));
  CURUPIRA_TRY(const std::string said, fields.text("name"));
  if (said != name.text()) return invalid("the index is of \"" + excerpt(said, 150) + "\"");
  CURUPIRA_TRY(const tuf::Fields listed, fields.object("versions"));
  CURUPIRA_CHECK(check_nothing_else(fields));
  if (listed.members().size() > max_versions)
    return invalid("the index has more than " + std::to_string(max_versions) + " versions");
  PackageIndex index{.name = name};
  std::vector<SemVer> versions;
  for (const auto& [version, content] : listed.members()) {
    const std::string where = listed.place(excerpt(version, 60));
    auto parsed = SemVer::parse(version);
    if (!parsed || parsed->to_string() != version) return invalid(where + " is no semantic version");
    versions.push_back(*std::move(parsed));
    CURUPIRA_TRY(PackageVersion read, read_version(content, where));
    index.versions.emplace(version, std::move(read));
  }
  std::ranges::sort(versions, [](const SemVer& a, const SemVer& b) { return a < b; });
  if (std::ranges::adjacent_find(versions) != versions.end())
    return invalid("two versions differ only in what follows their '+'");
  return index;
}

json::Object object_of(const IndexArtifact& artifact) {
  json::Object object;
  object.append("file", artifact.file);
  if (!artifact.platforms.empty()) {
    json::Array platforms;
    for (const manifest::Platform& platform : artifact.platforms)
      platforms.emplace_back(platform.text());
    object.append("platforms", std::move(platforms));
  }
  object.append("sha256", artifact.sha256.hex());
  object.append("size", artifact.size);
  return object;
}

json::Object object_of(const PackageVersion& version) {
  json::Array artifacts;
  for (const IndexArtifact& artifact : version.artifacts)
    artifacts.emplace_back(object_of(artifact));
  json::Object object;
  object.append("artifacts", std::move(artifacts));
  object.append("manifest", version.manifest);
  object.append("published", format_timestamp(version.published));
  if (version.yanked) {
    json::Object yanked;
    yanked.append("reason", *version.yanked);
    object.append("yanked", std::move(yanked));
  }
  return object;
}

}  // namespace

const PackageVersion* PackageIndex::find(std::string_view version) const {
  const auto found = versions.find(version);
  return found == versions.end() ? nullptr : &found->second;
}

std::optional<std::string> PackageIndex::latest() const {
  std::optional<SemVer> best;
  for (const auto& [text, version] : versions) {
    const auto parsed = SemVer::parse(text);
    if (version.yanked || !parsed) continue;
    const auto is_release = [](const SemVer& each) { return each.prerelease().empty(); };
    if (!best || (is_release(*parsed) && !is_release(*best)) ||
        (is_release(*parsed) == is_release(*best) && *parsed > *best))
      best = *parsed;
  }
  return best ? std::optional(best->to_string()) : std::nullopt;
}

std::vector<std::string> PackageIndex::yanked() const {
  std::vector<std::string> found;
  for (const auto& [text, version] : versions)
    if (version.yanked) found.push_back(text);
  return found;
}

Result<PackageIndex> parse_package_index(std::string_view text, const PackageName& name) {
  auto index = read_index(text, name);
  if (!index && index.error().code() != ErrorCode::package_index_invalid)
    return invalid(index.error().detail());
  return index;
}

std::string write_package_index(const PackageIndex& index) {
  json::Object versions;
  for (const auto& [text, version] : index.versions)
    versions.append(text, object_of(version));
  json::Object whole;
  whole.append("format", PackageIndex::format);
  whole.append("name", index.name.text());
  whole.append("versions", std::move(versions));
  return json::write(whole);
}

}  // namespace curupira::registry
