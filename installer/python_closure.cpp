#include "installer/python_closure.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/printable.h"
#include "installer/limits.h"
#include "installer/package_trees.h"
#include "installer/wheel_layout.h"
#include "installer/wheel_metadata.h"
#include "registry/python_marker.h"
#include "registry/python_specifiers.h"
#include "registry/reference.h"

namespace curupira::installer {
namespace {

using registry::PythonRequirement;

struct Member {
  const registry::Artifact* artifact;
  WheelNeeds needs;
};

std::string label_of(const registry::Artifact& artifact) {
  return printable(artifact.package) + " " + printable(artifact.version);
}

class Walk {
 public:
  Walk(const registry::PythonClosure& closure, std::map<std::string, Member> members)
      : variables_(closure.python.markers), members_(std::move(members)) {
    reach(closure.root, "");
  }

  Result<> go() {
    while (!open_.empty()) {
      const auto [name, extra] = open_.back();
      open_.pop_back();
      const Member& member = members_.at(name);
      for (const PythonRequirement& requirement : member.needs.packages) {
        if (!is_needed(requirement, extra)) continue;
        CURUPIRA_CHECK(check(*member.artifact, requirement));
        reach(requirement.name, "");
        for (const std::string& asked : requirement.extras)
          reach(requirement.name, asked);
      }
    }
    return {};
  }

 private:
  void reach(const std::string& name, const std::string& extra) {
    if (members_.contains(name) && reached_.emplace(name, extra).second) open_.emplace_back(name, extra);
  }

  /// A marker that cannot be read says nothing of this machine.
  bool is_needed(const PythonRequirement& requirement, const std::string& extra) const {
    for (const std::string& spelling : {extra, registry::normalize_pip_name(extra)}) {
      auto variables = variables_;
      variables.insert_or_assign("extra", spelling);
      const auto holds = registry::marker_holds(requirement.marker, variables);
      if (holds && *holds) return true;
    }
    return false;
  }

  Result<> check(const registry::Artifact& who, const PythonRequirement& requirement) const {
    const auto found = members_.find(requirement.name);
    const std::string what =
        label_of(who) + " needs " + printable(requirement.name + requirement.specifiers) + ": ";
    if (found == members_.end()) return fail(ErrorCode::lock_incomplete, what + "it is not in the closure");
    const auto& version = found->second.artifact->version;
    // What an index has accepted and PEP 440 does not know is no reason to refuse.
    if (registry::fits_python_specifiers(version, requirement.specifiers).value_or(true)) return {};
    return fail(ErrorCode::lock_incomplete, what + "the closure has " + printable(version));
  }

  std::map<std::string, std::string, std::less<>> variables_;
  std::map<std::string, Member> members_;
  std::set<std::pair<std::string, std::string>> reached_;  ///< package and extra
  std::vector<std::pair<std::string, std::string>> open_;
};

/// The oldest Python of the lock is none that a package excludes which is there for all of them.
Result<> check_python(const registry::PythonLock& lock, const Member& member) {
  const auto everywhere = [&](const registry::LockedPythonPackage& package) {
    return package.name == member.artifact->package && package.marker.empty();
  };
  if (std::ranges::none_of(lock.packages, everywhere)) return {};
  // "3.11" is any of its releases.
  for (const std::string_view release : {"", ".999"})
    if (registry::fits_python_specifiers(lock.python + std::string(release), member.needs.python)
            .value_or(true))
      return {};
  return fail(ErrorCode::lock_mismatch,
              printable(lock.root) + ": python\nexpected " + printable(lock.python) + "  found " +
                  printable(member.needs.python) + ", which " + label_of(*member.artifact) + " needs");
}

}  // namespace

Result<> check_python_closure(const InstallRun& run, const registry::PythonClosure& closure,
                              std::span<const VerifiedArtifact> wheels, const registry::PythonLock& lock) {
  std::map<std::string, Member> members;
  for (const VerifiedArtifact& wheel : wheels) {
    CURUPIRA_TRY(const std::string tree, tree_of_wheel(run, wheel));
    CURUPIRA_TRY(const TreeListing listing, run.store.listing(tree));
    CURUPIRA_TRY(const std::string info, find_info_folder(listing));
    CURUPIRA_TRY(const std::string metadata,
                 run.files.read_file(run.store.tree(tree) / info / "METADATA", max_metadata_bytes));
    Member member{&wheel.artifact(), parse_wheel_needs(metadata)};
    CURUPIRA_CHECK(check_python(lock, member));
    members.insert_or_assign(wheel.artifact().package, std::move(member));
  }
  return Walk(closure, std::move(members)).go();
}

}  // namespace curupira::installer
