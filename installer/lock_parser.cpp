#include <algorithm>
#include <array>

#include "base/diagnostics.h"
#include "base/printable.h"
#include "installer/lock_coherence.h"
#include "installer/lock_file.h"
#include "manifest/manifest.h"
#include "manifest/table_reader.h"
#include "registry/reference.h"

namespace curupira::installer {
namespace {

using manifest::TableReader;
using manifest::VerificationLevel;

constexpr std::size_t max_extensions = 10'000;
constexpr std::array launches{"npx", "uvx", "executable", "binary", "archive"};

std::string trimmed_comment(std::string_view text) {
  std::string comment;
  while (text.starts_with('#') || text.starts_with('\n')) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return comment;
    comment += text.substr(0, end + 1);
    text.remove_prefix(end + 1);
  }
  return comment;
}

/// The line of the first conflict marker of git, from 1; 0 when there is none. No line of ours starts so.
int conflict_line(std::string_view text) {
  for (int line = 1; !text.empty(); ++line) {
    for (const std::string_view marker : {"<<<<<<<", "=======", ">>>>>>>", "|||||||"})
      if (text.starts_with(marker)) return line;
    const auto end = text.find('\n');
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return 0;
}

Result<std::optional<std::string>> read_tree(TableReader& table) {
  CURUPIRA_TRY(auto text, table.optional_text("tree"));
  if (!text) return text;
  const auto digest = Digest::from_hex(DigestAlgorithm::sha256, *text);
  if (!digest || digest->hex() != *text)
    return fail(table.wrong("tree", "64 hexadecimal digits in lower case"));
  return text;
}

Result<Digest> read_digest(TableReader& table, std::string_view name) {
  CURUPIRA_TRY(const auto text, table.text(name));
  const auto digest = Digest::from_sri(text);
  // Only one way to write each, so that a file that was not changed is not changed.
  if (!digest || !digest->strong() || digest->sri() != text)
    return fail(table.wrong(name, "an SRI digest, sha256 or stronger"));
  return *digest;
}

Result<VerificationLevel> read_level(TableReader& table) {
  CURUPIRA_TRY(const auto text, table.text("level"));
  for (const auto level :
       {VerificationLevel::digest, VerificationLevel::registry_signed, VerificationLevel::publisher_signed})
    if (name_of(level) == text) return level;
  return fail(table.wrong("level", manifest::one_of({"digest", "registry-signed", "publisher-signed"})));
}

Result<std::vector<manifest::Platform>> read_platforms(TableReader& table,
                                                       const std::vector<manifest::Platform>* known) {
  CURUPIRA_TRY(const auto texts, table.texts("platforms"));
  std::vector<manifest::Platform> platforms;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto platform = manifest::Platform::parse(texts[i]);
    if (!platform || !platform->is_known())
      return fail(table.wrong_item("platforms", i, "a platform, \"linux-x86_64\""));
    if (known != nullptr && !std::ranges::binary_search(*known, *platform))
      return fail(table.wrong_item("platforms", i, "one of the platforms of the lock file"));
    platforms.push_back(*std::move(platform));
  }
  if (std::ranges::adjacent_find(platforms, std::ranges::greater_equal{}) != platforms.end())
    return fail(table.wrong("platforms", "platforms in order, each once"));
  return platforms;
}

Result<LockedArtifact> read_artifact(TableReader& table, const std::vector<manifest::Platform>& known) {
  CURUPIRA_TRY(auto package, table.text("package"));
  CURUPIRA_TRY(auto version, table.optional_text("version"));
  CURUPIRA_TRY(auto file, table.text("file"));
  CURUPIRA_TRY(const auto size, table.optional_integer("size", 0));
  CURUPIRA_TRY(const Digest digest, read_digest(table, "digest"));
  CURUPIRA_TRY(auto tree, read_tree(table));
  CURUPIRA_TRY(const auto level, read_level(table));
  CURUPIRA_TRY(const auto locations, table.texts("locations"));
  CURUPIRA_TRY(auto marker, table.optional_text("marker"));
  CURUPIRA_TRY(auto platforms, read_platforms(table, &known));
  LockedArtifact artifact{.package = std::move(package),
                          .version = std::move(version).value_or(""),
                          .file = std::move(file),
                          .size = size ? std::optional(static_cast<std::uint64_t>(*size)) : std::nullopt,
                          .digest = digest,
                          .tree = std::move(tree),
                          .marker = std::move(marker).value_or(""),
                          .platforms = std::move(platforms),
                          .level = level};
  for (std::size_t i = 0; i < locations.size(); ++i) {
    auto location = RelativePath::parse(locations[i]);
    if (!location || location->text() != locations[i] || !locations[i].starts_with("node_modules/"))
      return fail(table.wrong_item("locations", i, "a path below node_modules"));
    artifact.locations.push_back(*std::move(location));
  }
  return artifact;
}

/// "npm:@scope" is a source of npm.
bool fits(const std::string& source, const registry::Reference& reference) {
  const auto name = registry::source_name(reference);
  if (source == name) return true;
  const auto* const npm = std::get_if<registry::NpmReference>(&reference);
  return npm != nullptr && source.starts_with("npm:@") &&
         npm->name.starts_with(std::string_view(source).substr(4)) && npm->name[source.size() - 4] == '/';
}

Result<std::string> read_reference(TableReader& table, const std::string& source,
                                   const std::string& package) {
  CURUPIRA_TRY(auto text, table.text("reference"));
  const auto reference = registry::parse_reference(text);
  if (!reference) return fail(table.wrong("reference", "a reference").caused_by(reference.error()));
  if (!fits(source, *reference)) return fail(table.wrong("source", "the source of the reference"));
  const auto* const npm = std::get_if<registry::NpmReference>(&*reference);
  const auto* const pip = std::get_if<registry::PipReference>(&*reference);
  const auto* const release = std::get_if<registry::RegistryReference>(&*reference);
  if ((npm != nullptr && npm->name != package) || (pip != nullptr && pip->name != package) ||
      (release != nullptr && release->package.text() != package))
    return fail(table.wrong("package", "the package of the reference"));
  const auto* const folder = std::get_if<registry::PathReference>(&*reference);
  const auto* const archive = std::get_if<registry::ArchiveReference>(&*reference);
  const auto* const file =
      archive != nullptr ? std::get_if<std::filesystem::path>(&archive->location) : nullptr;
  if ((folder != nullptr && folder->folder.is_absolute()) || (file != nullptr && file->is_absolute()))
    return fail(table.wrong("reference", "a path relative to the lock file"));
  return text;
}

Result<LockedExtension> read_extension(TableReader& table, const std::vector<manifest::Platform>& known) {
  CURUPIRA_TRY(auto name, table.text("name"));
  if (!manifest::is_new_extension_name(name)) return fail(table.wrong("name", "a name of an extension"));
  CURUPIRA_TRY(auto version, table.text("version"));
  CURUPIRA_TRY(auto source, table.text("source"));
  CURUPIRA_TRY(auto package, table.text("package"));
  CURUPIRA_TRY(auto reference, read_reference(table, source, package));
  CURUPIRA_TRY(auto launch, table.text("launch"));
  if (std::ranges::find(launches, launch) == launches.end())
    return fail(table.wrong("launch", manifest::one_of({launches.begin(), launches.end()})));
  CURUPIRA_TRY(const auto level, read_level(table));
  CURUPIRA_TRY(const Digest digest, read_digest(table, "manifest"));
  CURUPIRA_TRY(auto permissions, table.texts("permissions"));
  CURUPIRA_TRY(auto tree, read_tree(table));
  CURUPIRA_TRY(auto python, table.optional_text("python"));
  LockedExtension extension{.name = std::move(name),
                            .version = std::move(version),
                            .reference = std::move(reference),
                            .source = std::move(source),
                            .package = std::move(package),
                            .launch = std::move(launch),
                            .level = level,
                            .manifest = digest,
                            .permissions = std::move(permissions),
                            .tree = std::move(tree),
                            .python = std::move(python).value_or(""),
                            .artifacts = {}};
  CURUPIRA_CHECK(check_coherence(table, extension));
  const toml::Value* const value = table.find("artifact");
  const toml::Array* const items = value != nullptr ? value->as_array() : nullptr;
  if (value != nullptr && items == nullptr) return fail(table.wrong("artifact", "an array of tables"));
  auto lowest = VerificationLevel::publisher_signed;
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const toml::Table* const item = (*items)[i].as_table();
    if (item == nullptr) return fail(table.wrong_item("artifact", i, "a table"));
    TableReader reader(table.document(), *item, (*items)[i].position(), table.path() + ".artifact");
    CURUPIRA_TRY(auto artifact, read_artifact(reader, known));
    CURUPIRA_CHECK(check_coherence(reader, extension, artifact));
    reader.warn_about_unknown();
    lowest = std::min(lowest, artifact.level);
    extension.artifacts.push_back(std::move(artifact));
  }
  if (extension.artifacts.empty()) lowest = VerificationLevel::digest;
  if (lowest != extension.level)
    return fail(
        table.wrong("level", "the lowest level of the artifacts, \"" + std::string(name_of(lowest)) + "\""));
  return extension;
}

Result<> check_version(TableReader& root) {
  CURUPIRA_TRY(const auto version, root.integer("lock_version"));
  if (version > LockFile::version)
    return fail(
        root.wrong(ErrorCode::lock_version, "lock_version", "at most " + std::to_string(LockFile::version)));
  if (version < 1) return fail(root.wrong("lock_version", std::to_string(LockFile::version)));
  return {};
}

}  // namespace

Result<LockFile> parse_lock(std::string_view text, const std::filesystem::path& file) {
  if (const int line = conflict_line(text); line > 0)
    return fail(ErrorCode::lock_conflict,
                printable(file.string()) + ":" + std::to_string(line) + ": a conflict marker of git");
  CollectedDiagnostics unknown;
  const manifest::Document document{
      .file = file, .field_error = ErrorCode::lock_field, .diagnostics = unknown};
  const auto parsed = toml::parse(text, {.max_bytes = max_lock_bytes, .max_depth = 8});
  if (!parsed)
    return fail(
        manifest::syntax_error(document, parsed.error(), ErrorCode::lock_syntax, ErrorCode::lock_syntax));
  TableReader root(document, *parsed, TextPosition{.line = 1, .column = 1}, {});
  CURUPIRA_CHECK(check_version(root));
  LockFile lock{.comment = trimmed_comment(text), .platforms = {}, .extensions = {}};
  CURUPIRA_TRY(lock.platforms, read_platforms(root, nullptr));
  if (lock.platforms.empty()) return fail(root.wrong("platforms", "at least one platform"));
  const toml::Value* const value = root.find("extension");
  const toml::Array* const items = value != nullptr ? value->as_array() : nullptr;
  if (value != nullptr && items == nullptr) return fail(root.wrong("extension", "an array of tables"));
  if (items != nullptr && items->size() > max_extensions)
    return fail(root.wrong("extension", "at most " + std::to_string(max_extensions) + " extensions"));
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const toml::Table* const item = (*items)[i].as_table();
    if (item == nullptr) return fail(root.wrong_item("extension", i, "a table"));
    TableReader reader(document, *item, (*items)[i].position(), "extension");
    CURUPIRA_TRY(auto extension, read_extension(reader, lock.platforms));
    reader.warn_about_unknown();
    if (lock.find(extension.name) != nullptr)
      return fail(reader.wrong("name", "a name that no other extension of the lock file has"));
    lock.put(std::move(extension));
  }
  root.warn_about_unknown();
  // A field that this program does not know is not one of this format; what it protects would be lost.
  if (!unknown.all.empty()) {
    const auto& first = unknown.all.front();
    const TextPosition position = first.position.value_or(TextPosition{});
    return fail(document.error(ErrorCode::lock_field, position, first.text));
  }
  return lock;
}

}  // namespace curupira::installer
