#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "installer/installer.h"
#include "installer/verification_level.h"
#include "registry/mirror_index.h"
#include "registry/python_mirror.h"
#include "registry/repository_folder.h"
#include "registry/resolution.h"

namespace curupira::installer {

/// What a mirror shall have.
struct MirrorRequest {
  std::vector<registry::Reference> references;
  std::optional<std::filesystem::path> lock = {};  ///< all that it names
  bool update = false;  ///< references are resolved anew; without any, all that were asked for before
  /// Of the references, sorted and not empty; of the lock file those that it has, where the user named some.
  std::vector<manifest::Platform> platforms;
  bool platforms_named = false;
  std::string url = {};  ///< where the folder will be served, ending with '/'; empty: as before
};

/// A file that the mirror lacks.
struct MirrorAddition {
  registry::MirrorFile file;  ///< digest and size are known when it is here
  registry::Artifact artifact;
  bool at_hand = false;  ///< an earlier run brought it, and was stopped before it was signed
  manifest::VerificationLevel least = manifest::VerificationLevel::digest;  ///< that a lock file promises
};

/// What will happen to a mirror. Nothing of the additions was fetched.
struct MirrorPlan {
  registry::MirrorIndex before;                                ///< as it was signed
  registry::MirrorIndex index;                                 ///< as it will be, without the additions
  std::vector<MirrorAddition> additions;                       ///< by path
  std::size_t present = 0;                                     ///< files asked for that the mirror has
  std::map<std::string, json::Value, std::less<>> packuments;  ///< what registries say, by package
  /// What indexes say of wheels: why they were withdrawn, by file name.
  std::map<std::string, std::optional<std::string>, std::less<>> withdrawn;
  std::set<std::string> npm_pages;     ///< packages whose packument is written anew
  std::set<std::string> python_pages;  ///< packages whose page is written anew
  /// Packages of registries of extensions, by the registry: these registries are copied beside.
  std::map<std::string, std::set<std::string>> releases;
  std::size_t refreshed = 0;  ///< pages that change although their package has no new file

  bool changes_something() const;
};

/// Resolves what is asked for, for all platforms, and compares it with what the mirror has. `folder` is the
/// registry's; `index` what it mirrors. Files that are gone or damaged count as missing. Errors:
/// mirror_reference; usage when npm packages come and nobody said where the folder is served;
/// digest_mismatch when a registry changed what is mirrored; lock_missing, lock_platform; those of resolving.
Result<MirrorPlan> plan_mirror(const InstallerTools& tools, const InstallOptions& options,
                               const registry::RepositoryFolder& folder, const registry::MirrorIndex& index,
                               const MirrorRequest& request, Diagnostics& diagnostics,
                               InstallObserver& observer);

}  // namespace curupira::installer
