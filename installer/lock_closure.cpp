#include "installer/lock_closure.h"

#include <map>
#include <optional>
#include <string_view>

#include "base/printable.h"
#include "base/semver.h"
#include "installer/limits.h"
#include "installer/package_json.h"
#include "registry/version_range.h"

namespace curupira::installer {
namespace {

constexpr std::string_view modules = "node_modules/";

class Lookup {
 public:
  Lookup(const Store& store, const registry::NodeClosure& closure, std::span<const std::string> trees,
         const manifest::Platform& platform)
      : store_(store), platform_(platform) {
    for (std::size_t i = 0; i < closure.packages.size(); ++i)
      places_.emplace(closure.packages[i].location.text(), Place{&closure.packages[i], &trees[i]});
  }

  Result<> check(const registry::NodePackage& package, const std::string& tree) const {
    CURUPIRA_TRY(const TreeListing listing, store_.listing(tree));
    CURUPIRA_TRY(const std::string text,
                 store_.files().read_file(store_.tree(tree) / "package.json", max_package_json_bytes));
    CURUPIRA_TRY(const PackageJson json,
                 parse_package_json(text, "package.json of " + printable(package.name)));
    if (!json.platforms.admits(platform_))
      return fail(ErrorCode::lock_mismatch, printable(package.name) + "@" + printable(package.version) +
                                                ": platforms\nexpected " + platform_.text() + "  found " +
                                                json.platforms.to_string());
    for (const auto& [name, range] : json.dependencies) {
      // A package may bring its own ones in its tarball.
      if (listing.has_file(std::string(modules) + name + "/package.json")) continue;
      const registry::NodePackage* const found = find(package.location.text(), name);
      if (found == nullptr) return fail(lacks(package, name, range, "it is not in the closure"));
      if (!fits(range, *found))
        return fail(lacks(package, name, range, "the closure has " + printable(found->version)));
    }
    return {};
  }

 private:
  struct Place {
    const registry::NodePackage* package;
    const std::string* tree;
  };

  /// As node looks: beside the package's own files, then in the node_modules of every folder above.
  const registry::NodePackage* find(std::string folder, const std::string& name) const {
    while (true) {
      const auto found = places_.find((folder.empty() ? "" : folder + "/") + std::string(modules) + name);
      if (found != places_.end()) return found->second.package;
      const auto above = folder.rfind(modules);
      if (folder.empty() || above == std::string::npos) return nullptr;
      folder.resize(above == 0 ? 0 : above - 1);
    }
  }

  /// An alias, a tag or an address says nothing of a version.
  static bool fits(const std::string& text, const registry::NodePackage& package) {
    const auto range = registry::VersionRange::parse(text);
    const auto version = SemVer::parse(package.version);
    return !range || !version || range->contains(*version);
  }

  static Error lacks(const registry::NodePackage& package, const std::string& name, const std::string& range,
                     const std::string& why) {
    return Error(ErrorCode::lock_incomplete, printable(package.name) + "@" + printable(package.version) +
                                                 " needs " + printable(name) + "@" + printable(range) + ": " +
                                                 why);
  }

  const Store& store_;
  const manifest::Platform& platform_;
  std::map<std::string, Place, std::less<>> places_;
};

}  // namespace

Result<> check_closure(const Store& store, const registry::NodeClosure& closure,
                       std::span<const std::string> trees, const manifest::Platform& platform) {
  const Lookup lookup(store, closure, trees, platform);
  for (std::size_t i = 0; i < closure.packages.size(); ++i)
    CURUPIRA_CHECK(lookup.check(closure.packages[i], trees[i]));
  return {};
}

}  // namespace curupira::installer
