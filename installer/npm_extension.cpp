#include <algorithm>
#include <iterator>

#include "base/printable.h"
#include "installer/agreement.h"
#include "installer/bin_resolution.h"
#include "installer/lock_closure.h"
#include "installer/node_command.h"
#include "installer/node_modules.h"
#include "installer/package_trees.h"
#include "installer/prepared_extension.h"

namespace curupira::installer {
namespace {

struct Root {
  RelativePath location;
  PackageJson package;
};

Result<Root> find_root(const Preparation& preparation, const registry::NodeClosure& closure,
                       const InstalledContent& content) {
  const std::string wanted = "node_modules/" + closure.root;
  for (const auto& package : closure.packages) {
    if (package.location.text() != wanted) continue;
    CURUPIRA_TRY(const std::string text,
                 preparation.run.files.read_file(package.location.below(content.folder) / "package.json",
                                                 max_package_json_bytes));
    CURUPIRA_TRY(PackageJson json, parse_package_json(text, "package.json of " + printable(closure.root)));
    return Root{package.location, std::move(json)};
  }
  return fail(ErrorCode::resolution_unreadable, "the closure has nothing at " + printable(wanted));
}

/// The command that starts the root package by its program `wanted`, or by the one that npx would choose.
Result<manifest::ReceiptCommand> command_for(const Preparation& preparation, const Root& root,
                                             const InstalledContent& content,
                                             const std::optional<std::string>& wanted) {
  CURUPIRA_TRY(const PackageBin bin, choose_bin(root.package, wanted));
  CURUPIRA_TRY(const RelativePath entry, RelativePath::parse(root.location.text() + "/" + bin.path.text()));
  return make_node_command(preparation.run.files, content.folder, entry, bin.command);
}

/// A closure that is complete in the store.
struct FetchedClosure {
  std::vector<VerifiedArtifact> artifacts;
  std::vector<std::string> trees;      // parallel to the packages
  std::vector<LockedArtifact> locked;  // parallel to the artifacts
};

Result<FetchedClosure> fetch_closure(const Preparation& preparation, const registry::Resolution& resolution,
                                     const manifest::Platform& platform) {
  const auto& closure = std::get<registry::NodeClosure>(resolution.content);
  FetchedClosure fetched;
  CURUPIRA_TRY(fetched.artifacts, fetch_verified(preparation, resolution.artifacts));
  for (const auto& artifact : fetched.artifacts)
    fetched.locked.push_back(locked_artifact(artifact, platform));
  for (const auto& package : closure.packages) {
    if (package.artifact >= fetched.artifacts.size())
      return fail(ErrorCode::resolution_unreadable, printable(package.name) + " has no artifact");
    CURUPIRA_TRY(std::string tree, tree_of_npm_tarball(preparation.run, fetched.artifacts[package.artifact],
                                                       package.name, package.version));
    fetched.locked[package.artifact].tree = tree;
    fetched.locked[package.artifact].locations.push_back(package.location);
    fetched.trees.push_back(std::move(tree));
  }
  return fetched;
}

/// What the other platforms of the lock file need of the same version: fetched and unpacked as well, so that
/// the lock file says what they will find.
Result<> lock_other_platforms(const Preparation& preparation, const registry::Resolution& resolution,
                              std::vector<LockedArtifact>& locked) {
  const registry::NpmReference exact{.name = resolution.package, .range = resolution.version};
  for (const auto& platform : preparation.other_platforms) {
    const auto other = resolve(preparation, exact, platform);
    if (!other && other.error().code() == ErrorCode::platform_missing) {
      preparation.diagnostics.warn(printable(resolution.package) + " does not run on " + platform.text());
      continue;
    }
    if (!other) return fail(other.error());
    CURUPIRA_TRY(FetchedClosure fetched, fetch_closure(preparation, *other, platform));
    std::ranges::move(fetched.locked, std::back_inserter(locked));
  }
  return {};
}

}  // namespace

Result<PreparedExtension> prepare_npm(const Preparation& preparation, const registry::Resolution& resolution,
                                      const PublishedManifest* given) {
  const auto& closure = std::get<registry::NodeClosure>(resolution.content);
  const std::string label = printable("npm:" + resolution.package + "@" + resolution.version);
  const InstallRun& run = preparation.run;
  CURUPIRA_TRY(FetchedClosure fetched, fetch_closure(preparation, resolution, preparation.tools.platform));
  if (preparation.recheck_closure)
    CURUPIRA_CHECK(check_closure(run.store, closure, fetched.trees, preparation.tools.platform));
  run.observer.assembling(label);
  CURUPIRA_TRY(InstalledContent content, assemble_node_modules(run, closure, fetched.trees));
  CURUPIRA_TRY(const Root root, find_root(preparation, closure, content));

  std::optional<PublishedManifest> published;
  if (given != nullptr) {
    published = *given;
  } else {
    const std::filesystem::path name(manifest::manifest_file_name);
    CURUPIRA_TRY(published, read_published(run.files, root.location.below(content.folder) / name,
                                           resolution.package / name, preparation.diagnostics));
  }
  if (!published) {
    CURUPIRA_TRY(const auto command, command_for(preparation, root, content, std::nullopt));
    CURUPIRA_TRY(published, probe_published(run, preparation.tools, preparation.options, content, command,
                                            label, preparation.diagnostics));
  }
  CURUPIRA_CHECK(check_agreement(published->manifest, {.source = "npm",
                                                       .package = resolution.package,
                                                       .version = resolution.version,
                                                       .probed = published->probed}));
  const auto& launch = std::get<manifest::NpxLaunch>(published->manifest.launch);
  CURUPIRA_TRY(manifest::ReceiptCommand command, command_for(preparation, root, content, launch.bin));
  command.args = launch.args;
  auto receipts = receipts_from_registry(fetched.artifacts);
  CURUPIRA_CHECK(lock_other_platforms(preparation, resolution, fetched.locked));
  PreparedExtension prepared =
      make_prepared(resolution.reference, resolution.package, std::move(*published), std::move(receipts),
                    std::move(content), std::move(command), std::move(fetched.locked));
  if (!resolution.registry.empty()) prepared.locked.source = resolution.registry;
  return prepared;
}

}  // namespace curupira::installer
