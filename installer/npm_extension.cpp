#include "base/printable.h"
#include "installer/agreement.h"
#include "installer/bin_resolution.h"
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

}  // namespace

Result<PreparedExtension> prepare_npm(const Preparation& preparation, const registry::Resolution& resolution,
                                      const PublishedManifest* given) {
  const auto& closure = std::get<registry::NodeClosure>(resolution.content);
  const std::string label = printable("npm:" + resolution.package + "@" + resolution.version);
  const InstallRun& run = preparation.run;
  CURUPIRA_TRY(const auto artifacts, fetch_verified(preparation, resolution.artifacts));
  std::vector<std::string> trees;
  for (const auto& package : closure.packages) {
    if (package.artifact >= artifacts.size())
      return fail(ErrorCode::resolution_unreadable, printable(package.name) + " has no artifact");
    CURUPIRA_TRY(std::string tree,
                 tree_of_npm_tarball(run, artifacts[package.artifact], package.name, package.version));
    trees.push_back(std::move(tree));
  }
  run.observer.assembling(label);
  CURUPIRA_TRY(InstalledContent content, assemble_node_modules(run, closure, trees));
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
  std::vector<manifest::ReceiptArtifact> receipts;
  for (const auto& artifact : artifacts)
    receipts.push_back(artifact.receipt());
  return make_prepared(resolution.reference, resolution.package, std::move(*published), std::move(receipts),
                       std::move(content), std::move(command));
}

}  // namespace curupira::installer
