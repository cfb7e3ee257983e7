#include "installer/publication.h"

#include <algorithm>

#include "base/printable.h"
#include "installer/folder_archive.h"
#include "installer/prepared_install.h"
#include "installer/source_resolver.h"

namespace curupira::installer {

struct PreparedPublication::State {
  std::unique_ptr<PreparedInstall::State> install;  // nothing of it is committed
  std::vector<registry::Release> releases;
};

PreparedPublication::PreparedPublication(std::unique_ptr<State> state) : state_(std::move(state)) {}
PreparedPublication::PreparedPublication(PreparedPublication&&) noexcept = default;
PreparedPublication& PreparedPublication::operator=(PreparedPublication&&) noexcept = default;
PreparedPublication::~PreparedPublication() = default;

std::span<const registry::Release> PreparedPublication::releases() const {
  return state_->releases;
}

namespace {

namespace fs = std::filesystem;

Result<registry::PackageName> package_name(const PreparedExtension& extension,
                                           const std::optional<std::string>& scope) {
  const std::string& name = extension.manifest.name;
  return registry::PackageName::parse(scope ? "@" + *scope + "/" + name : name);
}

Result<registry::Reference> reference_to(const FileSystem& files, const fs::path& path) {
  CURUPIRA_TRY(const auto status, files.status(path));
  if (!status) return fail(ErrorCode::file_not_found, printable(path.string()));
  if (status->type == FileType::regular)
    return registry::Reference(registry::ArchiveReference{.location = path});
  return registry::Reference(registry::PathReference{path});
}

/// What the extension's folder is in the store.
Result<std::string> tree_of(const PreparedExtension& extension) {
  if (extension.locked.tree) return *extension.locked.tree;
  if (!extension.locked.artifacts.empty() && extension.locked.artifacts.front().tree)
    return *extension.locked.artifacts.front().tree;
  return fail(ErrorCode::internal, "a prepared extension without a tree");
}

/// What a launch table names by an address, each file once with all platforms that need it.
Result<std::vector<registry::ReleaseFile>> platform_files(const InstallRun& run,
                                                          const PreparedExtension& extension) {
  std::vector<registry::ReleaseFile> files;
  const auto& launch = extension.manifest.launch;
  if (!std::holds_alternative<manifest::BinaryLaunch>(launch) &&
      !std::holds_alternative<manifest::ArchiveLaunch>(launch))
    return files;
  for (const LockedArtifact& artifact : extension.locked.artifacts) {
    if (artifact.platforms.empty() || artifact.file.find("://") == std::string::npos) continue;
    registry::IndexArtifact said{
        .file = artifact.package, .sha256 = artifact.digest, .size = artifact.size.value_or(0)};
    const auto known = std::ranges::find_if(
        files, [&](const registry::ReleaseFile& each) { return each.artifact.path() == said.path(); });
    auto& file = known != files.end() ? *known : files.emplace_back(said, run.store.blob(artifact.digest));
    file.artifact.platforms.push_back(artifact.platforms.front());
  }
  for (registry::ReleaseFile& file : files)
    std::ranges::sort(file.artifact.platforms);
  return files;
}

/// The archive of the release: the one that was given, or a new one of the folder.
Result<registry::ReleaseFile> archive_of(const InstallRun& run, const PreparedExtension& extension,
                                         const registry::PackageName& name, bool is_folder) {
  if (!is_folder) {
    const LockedArtifact& given = extension.locked.artifacts.front();
    return registry::ReleaseFile{
        .artifact = {.file = given.package, .sha256 = given.digest, .size = given.size.value_or(0)},
        .source = run.store.blob(given.digest)};
  }
  CURUPIRA_TRY(const std::string tree, tree_of(extension));
  CURUPIRA_TRY(const TreeListing listing, run.store.listing(tree));
  const bool has_manifest = listing.has_file(manifest::manifest_file_name);
  CURUPIRA_TRY(const fs::path folder, run.new_folder("pack-"));
  const std::string file = name.file_stem() + "-" + extension.manifest.version + ".tar.gz";
  CURUPIRA_TRY(
      const PackedArchive packed,
      pack_folder(run.files, run.store.tree(tree), listing,
                  has_manifest ? std::nullopt : std::optional(extension.manifest_text), folder / file));
  return registry::ReleaseFile{.artifact = {.file = file, .sha256 = packed.sha256, .size = packed.size},
                               .source = packed.file};
}

Result<registry::Release> prepare_release(const Preparation& preparation, const PublicationRequest& request) {
  const InstallRun& run = preparation.run;
  CURUPIRA_TRY(const registry::Reference reference, reference_to(run.files, request.path));
  CURUPIRA_TRY(const PreparedExtension extension, prepare_extension(preparation, reference));
  CURUPIRA_TRY(registry::PackageName name, package_name(extension, request.scope));
  const bool is_folder = std::holds_alternative<registry::PathReference>(reference);
  CURUPIRA_TRY(const std::string tree, tree_of(extension));
  CURUPIRA_TRY(const TreeListing listing, run.store.listing(tree));
  registry::Release release{.name = std::move(name),
                            .version = extension.manifest.version,
                            .manifest = extension.manifest_text,
                            .summary = request.summary,
                            .files = {}};
  if (listing.has_file(manifest::manifest_file_name)) {
    const fs::path file = run.store.tree(tree) / manifest::manifest_file_name;
    CURUPIRA_TRY(release.manifest, run.files.read_file(file, manifest::max_manifest_bytes));
  }
  CURUPIRA_TRY(auto archive, archive_of(run, extension, release.name, is_folder));
  CURUPIRA_TRY(auto files, platform_files(run, extension));
  release.files.push_back(std::move(archive));
  release.files.insert(release.files.end(), files.begin(), files.end());
  return release;
}

}  // namespace

Result<PreparedPublication> prepare_publication(const InstallerTools& tools,
                                                std::span<const PublicationRequest> requests,
                                                const InstallOptions& options, Diagnostics& diagnostics,
                                                InstallObserver& observer) {
  auto state = std::make_unique<PreparedPublication::State>();
  CURUPIRA_TRY(state->install, open_install(tools, std::nullopt, "publish", diagnostics, observer));
  PreparedInstall::State& install = *state->install;
  CURUPIRA_TRY(const auto work, tools.files.create_temporary_folder(install.home.staging(), "work."));
  const InstallRun run{.store = install.store,
                       .session = install.additions,
                       .files = tools.files,
                       .staging = work,
                       .observer = observer};
  SourceResolver resolver(tools, {}, diagnostics);
  const Preparation preparation{.tools = tools,
                                .options = options,
                                .run = run,
                                .diagnostics = diagnostics,
                                .resolver = resolver,
                                .all_platforms = true};
  for (const PublicationRequest& request : requests) {
    auto release = prepare_release(preparation, request);
    if (!release)
      return fail(std::move(release).error().while_doing("checking " + printable(request.path.string())));
    state->releases.push_back(*std::move(release));
  }
  return PreparedPublication(std::move(state));
}

}  // namespace curupira::installer
