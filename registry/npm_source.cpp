#include "registry/npm_source.h"

#include <algorithm>
#include <map>
#include <span>

#include "base/printable.h"
#include "registry/npm_configuration.h"
#include "registry/npm_integrity.h"
#include "registry/npm_lock_run.h"
#include "registry/npm_registry.h"
#include "registry/npm_signatures.h"
#include "registry/package_lock.h"

namespace curupira::registry {

namespace {

/// Turns locked packages into artifacts: each address is the registry's own word.
class ClosureBuilder {
 public:
  /// `known`: packuments that are there already.
  ClosureBuilder(NpmRegistry& registry, std::shared_ptr<const CredentialSource> credentials,
                 std::map<std::string, Packument, std::less<>> known)
      : registry_(registry), credentials_(std::move(credentials)), packuments_(std::move(known)) {}

  /// All packuments that were needed.
  const std::map<std::string, Packument, std::less<>>& packuments() const { return packuments_; }

  Result<> add_all(const std::vector<LockedPackage>& packages, Resolution& resolution, NodeClosure& closure) {
    CURUPIRA_CHECK(fetch_missing(packages));
    std::map<std::string, std::size_t> artifacts;
    for (const LockedPackage& package : packages) {
      CURUPIRA_TRY(Url url, url_of(package));
      CURUPIRA_TRY(Proof proof,
                   npm_proof(package.integrity ? &*package.integrity : nullptr, nullptr, package.label()));
      // The same package in two places is one artifact; what differs in address or digest is not the same.
      const std::string identity = package.label() + " " + url.to_string() + " " + *package.integrity;
      const auto [known, is_new] = artifacts.emplace(identity, resolution.artifacts.size());
      if (is_new) {
        resolution.artifacts.push_back({.package = package.name,
                                        .version = package.version,
                                        .file_name = npm_tarball_name(package.name, package.version),
                                        .location = std::move(url),
                                        .credentials = credentials_,
                                        .proof = std::move(proof)});
      }
      closure.packages.push_back({package.location, package.name, package.version, known->second});
    }
    return {};
  }

 private:
  /// True when the lock file itself gives an address of the package's registry.
  Result<bool> is_registry_address(const LockedPackage& package) {
    if (!package.resolved) return false;
    CURUPIRA_TRY(const Url registry, registry_.registry_of(package.name));
    const auto url = Url::parse(*package.resolved);
    return url && url->same_origin(registry);
  }

  /// Asks for all packages of which the lock file does not say enough, at once.
  Result<> fetch_missing(const std::vector<LockedPackage>& packages) {
    std::vector<std::string> names;
    for (const LockedPackage& package : packages) {
      CURUPIRA_TRY(const bool known, is_registry_address(package));
      if (!known && !packuments_.contains(package.name)) names.push_back(package.name);
    }
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    if (names.empty()) return {};
    CURUPIRA_TRY(auto packuments, registry_.packuments(names));
    for (std::size_t i = 0; i < names.size(); ++i)
      packuments_.emplace(names[i], std::move(packuments[i]));
    return {};
  }

  Result<Url> url_of(const LockedPackage& package) {
    const auto packument = packuments_.find(package.name);
    CURUPIRA_TRY(const bool known, is_registry_address(package));
    if (known) return Url::parse(*package.resolved);
    CURUPIRA_TRY(const Url registry, registry_.registry_of(package.name));
    const auto release = packument->second.find(package.version);
    if (release) {
      CURUPIRA_TRY(Url url, tarball_url(*release, registry));
      // A registry may keep its tarballs elsewhere; an address that it does not name is somebody else's.
      if (!package.resolved || *package.resolved == url.to_string()) return url;
    } else if (!package.resolved) {
      return fail(ErrorCode::version_not_found, registry.to_string() + " does not have " + package.label());
    }
    const auto foreign = Url::parse(*package.resolved);
    return fail(
        Error(ErrorCode::resolution_unsafe,
              package.label() + " comes from " +
                  (foreign ? printable(foreign->to_string()) : "no usable address") +
                  ", which its registry " + registry.to_string() + " does not name")
            .with_help(
                "a package that depends on bare addresses is not installed; its author has to depend on a "
                "published version"));
  }

  NpmRegistry& registry_;
  std::shared_ptr<const CredentialSource> credentials_;
  std::map<std::string, Packument, std::less<>> packuments_;
};

/// The release that `range` means, among those that are old enough. `packument` has only those then.
Result<PackageRelease> choose_release(Packument& packument, const std::string& range,
                                      const std::optional<ReleaseAge>& age, Diagnostics& diagnostics) {
  if (!age) return packument.choose(range, diagnostics);
  CollectedDiagnostics ignored;
  const auto newest = packument.choose(range, ignored);
  packument.keep_old_enough(*age);
  auto release = packument.choose(range, diagnostics);
  if (release || !newest) return release;
  return fail(too_young("npm:" + newest->name + "@" + newest->version, newest->published, *age));
}

/// npm and we must have asked the same registry.
Result<> check_root(const std::vector<LockedPackage>& packages, const PackageRelease& release) {
  const std::string location = "node_modules/" + release.name;
  const auto root =
      std::ranges::find(packages, location, [](const LockedPackage& p) { return p.location.text(); });
  if (root == packages.end() || root->name != release.name || root->version != release.version) {
    return fail(ErrorCode::resolution_unreadable, "package-lock.json does not have " + release.name + "@" +
                                                      release.version + " at " + location);
  }
  if (root->integrity && release.integrity) {
    const auto locked = parse_integrity(*root->integrity);
    const auto published = parse_integrity(*release.integrity);
    if (locked && published && *locked != *published) {
      return fail(
          Error(ErrorCode::resolution_unsafe, "npm resolved " + root->label() +
                                                  " to another tarball than its "
                                                  "registry describes")
              .with_help(
                  "npm reads another configuration than this program, or the registry changed a published "
                  "version: `npm config list` shows what npm reads"));
    }
  }
  return {};
}

}  // namespace

Result<Resolution> NpmSource::resolve(const Reference& reference, const manifest::Platform& platform,
                                      Diagnostics& diagnostics) {
  const auto* npm = std::get_if<NpmReference>(&reference);
  if (npm == nullptr)
    return fail(ErrorCode::internal, "the npm source was asked for " + printable(to_string(reference)));

  CURUPIRA_TRY(const NpmConfiguration configuration, NpmConfiguration::load(tools_, diagnostics));
  NpmRegistry registry(tools_, configuration);
  const PackumentForm form = tools_.release_age ? PackumentForm::full : PackumentForm::abbreviated;
  CURUPIRA_TRY(auto packuments, registry.packuments(std::span(&npm->name, 1), form));
  CURUPIRA_TRY(const PackageRelease release,
               choose_release(packuments.front(), npm->range, tools_.release_age, diagnostics));
  const std::string label = release.name + "@" + release.version;
  if (!release.platforms.admits(platform)) {
    return fail(ErrorCode::platform_missing,
                label + " is for " + release.platforms.to_string() + ", this machine is " + platform.text());
  }

  Resolution resolution{.reference = reference,
                        .package = release.name,
                        .version = release.version,
                        .registry = configuration.logical_source(release.name),
                        .artifacts = {},
                        .content = LocalFolder{}};
  NodeClosure closure{.root = release.name, .packages = {}};
  std::vector<LockedPackage> packages;
  if (release.needs_resolver) {
    CURUPIRA_TRY(const std::string lock, run_npm_lock(tools_, configuration, release.name, release.version));
    auto locked = read_package_lock(lock, platform);
    if (!locked)
      return fail(std::move(locked).error().while_doing("resolving the dependencies of npm:" + label));
    packages = *std::move(locked);
    CURUPIRA_CHECK(check_root(packages, release));
  } else {
    CURUPIRA_TRY(auto location, RelativePath::parse("node_modules/" + release.name));
    CURUPIRA_TRY(const Proof proof, npm_proof(release.integrity ? &*release.integrity : nullptr,
                                              release.shasum ? &*release.shasum : nullptr, label));
    CURUPIRA_TRY(const Url from, registry.registry_of(release.name));
    CURUPIRA_TRY(Url url, tarball_url(release, from));
    resolution.artifacts.push_back({.package = release.name,
                                    .version = release.version,
                                    .file_name = npm_tarball_name(release.name, release.version),
                                    .location = std::move(url),
                                    .credentials = configuration.credentials(),
                                    .proof = proof});
    closure.packages.push_back({std::move(location), release.name, release.version, 0});
  }
  std::map<std::string, Packument, std::less<>> known;
  known.emplace(release.name, std::move(packuments.front()));
  ClosureBuilder builder(registry, configuration.credentials(), std::move(known));
  CURUPIRA_CHECK(builder.add_all(packages, resolution, closure));
  CURUPIRA_CHECK(NpmSignatures(tools_, registry, configuration)
                     .add_to(resolution.artifacts, builder.packuments(), diagnostics));
  resolution.content = std::move(closure);
  return resolution;
}

}  // namespace curupira::registry
