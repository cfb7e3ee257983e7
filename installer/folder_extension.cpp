#include "base/printable.h"
#include "base/process_runner.h"
#include "installer/agreement.h"
#include "installer/bin_resolution.h"
#include "installer/executable_artifact.h"
#include "installer/node_command.h"
#include "installer/prepared_extension.h"

namespace curupira::installer {
namespace {

/// A folder of the store whose manifest was read.
struct Folder {
  const Preparation& preparation;
  FolderOrigin origin;
  std::string tree;
  TreeListing listing;
  PublishedManifest published;

  std::filesystem::path path() const { return preparation.run.store.tree(tree); }
  InstalledContent content() const {
    return {.content = {.kind = manifest::ReceiptContent::Kind::tree, .digest = tree},
            .folder = path(),
            .trees = {tree}};
  }
  /// What the source calls it: folders and archives are called by what is in them.
  std::string package() const {
    return origin.release != nullptr ? origin.release->package : published.manifest.name;
  }
  PreparedExtension make(InstalledContent what, manifest::ReceiptCommand command) {
    std::string name = package();
    return make_prepared(origin.reference, std::move(name), std::move(published), std::move(origin.artifacts),
                         std::move(what), std::move(command), std::move(origin.locked));
  }
};

/// The extension of a package that the folder's manifest points to, under the folder's reference.
Result<PreparedExtension> adopt(Folder folder, Result<PreparedExtension> package) {
  if (!package) return package;
  package->receipt.reference = registry::to_string(folder.origin.reference);
  package->receipt.source = registry::source_name(folder.origin.reference);
  package->receipt.package = folder.package();
  auto& artifacts = package->receipt.artifacts;
  artifacts.insert(artifacts.begin(), folder.origin.artifacts.begin(), folder.origin.artifacts.end());
  LockedExtension& entry = package->locked;
  entry.reference = package->receipt.reference;
  entry.source = package->receipt.source;
  entry.package = package->receipt.package;
  entry.artifacts.insert(entry.artifacts.begin(), folder.origin.locked.begin(), folder.origin.locked.end());
  return package;
}

Result<PreparedExtension> prepare_own_node_code(Folder folder, const manifest::NpxLaunch& launch) {
  CURUPIRA_TRY(const std::string text, folder.preparation.run.files.read_file(folder.path() / "package.json",
                                                                              max_package_json_bytes));
  CURUPIRA_TRY(const PackageJson package, parse_package_json(text, "package.json"));
  const auto& manifest = folder.published.manifest;
  if (package.name != launch.package)
    return fail(ErrorCode::manifest_mismatch, "package: the manifest says \"" + printable(launch.package) +
                                                  "\", package.json is of \"" + printable(package.name) +
                                                  "\"");
  if (!package.version.empty() && !same_version("npm", package.version, manifest.version))
    return fail(ErrorCode::manifest_mismatch, "version: the manifest says \"" + printable(manifest.version) +
                                                  "\", package.json \"" + printable(package.version) + "\"");
  const bool bundled = folder.listing.find("node_modules") != nullptr;
  if (package.has_dependencies && !bundled)
    return fail(Error(ErrorCode::launch_unsupported,
                      "package.json has dependencies, and the folder has no node_modules with them")
                    .with_help("publish the package to a registry and install npm:" +
                               printable(launch.package) + ", or include node_modules"));
  CURUPIRA_TRY(const PackageBin bin, choose_bin(package, launch.bin));
  CURUPIRA_TRY(manifest::ReceiptCommand command,
               make_node_command(folder.preparation.run.files, folder.path(), bin.path, bin.command));
  command.args = launch.args;
  return folder.make(folder.content(), std::move(command));
}

/// A folder without a manifest file that is a node package is asked, as the same package from a registry
/// would be.
Result<PublishedManifest> ask_own_node_code(const Preparation& preparation,
                                            const registry::Reference& reference, const std::string& tree,
                                            const TreeListing& listing) {
  const std::string name(manifest::manifest_file_name);
  if (!listing.has_file("package.json"))
    return fail(
        Error(ErrorCode::manifest_missing, "no " + name + " at the root, and no package.json to start it by")
            .with_help("put " + name + " at its root"));
  const auto folder = preparation.run.store.tree(tree);
  CURUPIRA_TRY(const std::string text,
               preparation.run.files.read_file(folder / "package.json", max_package_json_bytes));
  CURUPIRA_TRY(const PackageJson package, parse_package_json(text, "package.json"));
  CURUPIRA_TRY(const PackageBin bin, choose_bin(package, std::nullopt));
  CURUPIRA_TRY(const auto command, make_node_command(preparation.run.files, folder, bin.path, bin.command));
  const InstalledContent content{.content = {.kind = manifest::ReceiptContent::Kind::tree, .digest = tree},
                                 .folder = folder,
                                 .trees = {tree}};
  CURUPIRA_TRY(auto published,
               probe_published(preparation.run, preparation.tools, preparation.options, content, command,
                               printable(registry::to_string(reference)), preparation.diagnostics));
  CURUPIRA_CHECK(check_agreement(
      published.manifest,
      {.source = "npm", .package = package.name, .version = package.version, .probed = true}));
  return published;
}

Result<PreparedExtension> prepare_npx(Folder folder, const manifest::NpxLaunch& launch) {
  if (folder.listing.has_file("package.json")) return prepare_own_node_code(std::move(folder), launch);
  if (!registry::is_npm_package_name(launch.package))
    return fail(ErrorCode::manifest_field,
                "launch.package \"" + printable(launch.package) + "\" is no npm package name");
  const registry::NpmReference reference{.name = launch.package,
                                         .range = launch.version.value_or(folder.published.manifest.version)};
  CURUPIRA_TRY(const registry::Resolution resolution,
               resolve(folder.preparation, reference, folder.preparation.tools.platform));
  auto package = prepare_npm(folder.preparation, resolution, &folder.published);
  return adopt(std::move(folder), std::move(package));
}

Result<PreparedExtension> prepare_uvx(Folder folder, const manifest::UvxLaunch& launch) {
  if (folder.listing.has_file("pyproject.toml"))
    return fail(Error(ErrorCode::launch_unsupported, "the folder is the source of a Python package")
                    .with_help("build a wheel, publish it to an index, and install pip:" +
                               printable(launch.package)));
  const std::string name = launch.package.substr(0, launch.package.find_first_of("[=<>!~ ;@"));
  if (!registry::is_pip_package_name(name))
    return fail(ErrorCode::manifest_field,
                "launch.package \"" + printable(launch.package) + "\" is no Python package name");
  const registry::PipReference reference{
      .name = registry::normalize_pip_name(name),
      .specifiers = "==" + launch.version.value_or(folder.published.manifest.version)};
  CURUPIRA_TRY(const registry::Resolution resolution,
               resolve(folder.preparation, reference, folder.preparation.tools.platform));
  auto package = prepare_pip(folder.preparation, resolution, &folder.published);
  return adopt(std::move(folder), std::move(package));
}

Result<PreparedExtension> prepare_executable(Folder folder, const manifest::ExecutableLaunch& launch) {
  manifest::ReceiptCommand command{.args = launch.args, .in_content_folder = true};
  const std::string shown = "program \"" + printable(launch.program) + "\"";
  const bool bare = launch.program.find('/') == std::string::npos;
  auto path = RelativePath::parse(launch.program);
  if (!path)
    return fail(Error(ErrorCode::launch_program_missing, shown + " is no path inside the extension's folder")
                    .caused_by(std::move(path).error()));
  const TreeEntry* const entry = folder.listing.find(path->text());
  const bool there = entry != nullptr && entry->kind != TreeEntry::Kind::folder;
  if (there && entry->kind != TreeEntry::Kind::file) {
    command.entry = std::move(*path);
  } else if (bare && find_program(folder.preparation.tools.environment, launch.program)) {
    command.path_program = launch.program;
  } else if (there) {
    return fail(Error(ErrorCode::launch_program_missing, shown + " is not executable")
                    .with_help("chmod +x it, or start it by its interpreter"));
  } else {
    return fail(ErrorCode::launch_program_missing,
                shown + " is not in the extension's folder" + (bare ? ", nor on PATH" : ""));
  }
  auto content = folder.content();
  const auto root = folder.path();
  PreparedExtension prepared = folder.make(std::move(content), std::move(command));
  prepared.manifest_text =
      executable_manifest(folder.preparation.run.files, prepared.manifest, prepared.receipt.command, root);
  return prepared;
}

Result<PreparedExtension> prepare_platform_artifact(Folder folder) {
  CURUPIRA_TRY(ExecutableArtifact fetched, fetch_executable(folder.preparation, folder.published.manifest,
                                                            folder.path(), folder.origin.release));
  folder.origin.artifacts.push_back(fetched.artifact);
  folder.origin.locked.insert(folder.origin.locked.end(), fetched.locked.begin(), fetched.locked.end());
  manifest::ReceiptCommand command{.entry = fetched.program,
                                   .args = manifest::launch_args(folder.published.manifest.launch)};
  const auto path = fetched.content.folder;
  PreparedExtension prepared = folder.make(std::move(fetched.content), std::move(command));
  prepared.manifest_text =
      executable_manifest(folder.preparation.run.files, prepared.manifest, prepared.receipt.command, path);
  return prepared;
}

}  // namespace

Result<PreparedExtension> prepare_folder(const Preparation& preparation, const std::string& tree,
                                         FolderOrigin origin) {
  const std::filesystem::path name(manifest::manifest_file_name);
  const auto path = preparation.run.store.tree(tree);
  CURUPIRA_TRY(auto published,
               read_published(preparation.run.files, path / name, name, preparation.diagnostics));
  CURUPIRA_TRY(TreeListing listing, preparation.run.store.listing(tree));
  if (!published) {
    CURUPIRA_TRY(published, ask_own_node_code(preparation, origin.reference, tree, listing));
  }
  Folder folder{.preparation = preparation,
                .origin = std::move(origin),
                .tree = tree,
                .listing = std::move(listing),
                .published = std::move(*published)};
  const manifest::Launch launch = folder.published.manifest.launch;
  if (const auto* const npx = std::get_if<manifest::NpxLaunch>(&launch))
    return prepare_npx(std::move(folder), *npx);
  if (const auto* const uvx = std::get_if<manifest::UvxLaunch>(&launch))
    return prepare_uvx(std::move(folder), *uvx);
  if (const auto* const executable = std::get_if<manifest::ExecutableLaunch>(&launch))
    return prepare_executable(std::move(folder), *executable);
  return prepare_platform_artifact(std::move(folder));
}

}  // namespace curupira::installer
