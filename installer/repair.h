#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"
#include "installer/install_observer.h"
#include "installer/installer.h"
#include "installer/verify.h"

namespace curupira::installer {

/// An object that is whole again, and where its bytes came from.
struct RepairedObject {
  Finding::Object object = Finding::Object::tree;
  std::string name;
  std::string from;  ///< "fetched again", "unpacked again", "linked again", "the last generation"
};

/// An object that stays as it was, and why.
struct UnrepairedObject {
  Finding::Object object = Finding::Object::tree;
  std::string name;
  Error error;
};

struct Repair {
  Verification before;
  std::vector<RepairedObject> repaired;
  std::vector<UnrepairedObject> unrepaired;
  Verification after;
};

/// Verifies the extensions and makes anew what is damaged, each object by itself: an artifact is fetched from
/// where it is today (place_of_artifact), a tree is unpacked from its artifact
/// or taken from its folder again, an environment is linked again from its trees, manifest and receipt come
/// from the last generation. What was made anew is what it was, to the byte, or it is not used. It is made in
/// the staging folder and exchanged; nothing is written into a damaged object (pnpm/pnpm#4966, npm/cli#1484).
/// The network is used only when the store does not have what is needed. Errors: not_installed, those of
/// opening the home.
Result<Repair> repair_extensions(const InstallerTools& tools, const std::vector<std::string>& names,
                                 Diagnostics& diagnostics, InstallObserver& observer);

}  // namespace curupira::installer
